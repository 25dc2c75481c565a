// Playing by itself: evenly, or with the pauses of the recorded game.

import { byId, clamped, element } from "./elements.js";
import { go, place } from "./place.js";
import { labels, last, moments } from "./record.js";

const FACTORS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
const EVENLY = 1000; // milliseconds between two events at factor 1
const SHORTEST = 30;
const LONGEST = 24 * 3600 * 1000;
export const tempo = { playing: false, factor: 1, recorded: false };
let playTimer = 0;

function pause() {
  const between = moments[place.version] - moments[place.version - 1];
  const pauses = tempo.recorded && Number.isFinite(between) ? between : EVENLY;
  return clamped(pauses / tempo.factor, SHORTEST, LONGEST);
}

function tick() {
  go({ version: place.version + 1 });
  if (place.version < last) playTimer = setTimeout(tick, pause());
  else play(false);
}

export function play(playing) {
  clearTimeout(playTimer);
  tempo.playing = playing && place.version < last;
  if (tempo.playing) playTimer = setTimeout(tick, pause());
  // What changes all the time is not read out.
  byId("sentence").setAttribute("aria-live", tempo.playing ? "off" : "polite");
  const button = byId("play");
  const label = tempo.playing ? labels.pause : labels.play;
  button.setAttribute("aria-pressed", String(tempo.playing));
  button.title = `${label} (␣)`;
  button.querySelector(".unseen").textContent = labels.play;
  byId("play-icon").setAttribute("href", tempo.playing ? "#icon-pause" : "#icon-play");
}

export function playAs(change) {
  Object.assign(tempo, change);
  byId("tempo").value = String(tempo.factor);
  byId("recorded").setAttribute("aria-pressed", String(tempo.recorded));
  if (tempo.playing) play(true);
}

export function faster(places) {
  playAs({ factor: FACTORS[clamped(FACTORS.indexOf(tempo.factor) + places, 0, FACTORS.length - 1)] });
}

export function beginPlaying() {
  byId("tempo").append(...FACTORS.map((factor) =>
    element("option", { value: factor, text: `${factor < 1 ? `1/${1 / factor}` : factor}×`, selected: factor === 1 })));
  byId("tempo").addEventListener("change", (event) => playAs({ factor: Number(event.target.value) }));
}
