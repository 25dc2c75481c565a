// The viewer of a record: everything that follows the reader, and where one begins.

import { byId, element, shortened } from "./elements.js";
import { beginHelp, drawAbout } from "./help.js";
import { act, beginKeys } from "./keys.js";
import { beginLog, drawLog } from "./log.js";
import { find } from "./matches.js";
import { drawNotes, takeNotes } from "./notes.js";
import { beginPlace, followers, go, perspectiveName, perspectives, place, placeInAddress } from "./place.js";
import { beginPlaying } from "./playing.js";
import { actorAt, data, labels, last, lookAhead, moments, momentText, nameOf, openRecord, sentenceAt, toldFor } from "./record.js";
import { beginScrubber, drawScrubber, drawTicks } from "./scrubber.js";
import { beginSearch, drawFound } from "./search.js";
import { drawTable } from "./table.js";

let lastTold = ""; // of what: the version, the perspective and the sentence

function drawSentence() {
  if (!place.version) return;
  const actor = actorAt(place.version);
  const who = actor.startsWith("seat:") ? nameOf(actor.slice(5)) ?? actor : labels[actor] ?? actor;
  // Who follows the game is told of the trade, and not of the offers that lapsed with it.
  const version = place.follows && place.version === last ? toldFor(last) : place.version;
  const sentence = sentenceAt(version, place.perspective);
  const told = `${version}/${place.perspective}/${sentence}`;
  // Two lines at most: what is longer stands whole in the log. What is said already is not read out again, and another
  // event is, though its sentence be the same.
  if (told !== lastTold) byId("sentence").replaceChildren(element("span", { text: shortened(sentence), title: sentence }));
  lastTold = told;
  byId("moment").replaceChildren(element("span", { text: momentText(moments[place.version - 1]) }), element("bdi", { text: who }));
}

function drawPerspective() {
  byId("perspective").value = place.perspective;
}

// Names the perspectives as they are called now: somebody has left, or has come back.
export function namePerspectives() {
  for (const [number, each] of [...byId("perspective").options].entries()) {
    const name = perspectiveName(data.perspectives[number]);
    if (each.text !== name) each.text = name;
  }
}

function searchAgain({ turned }) {
  if (turned) find(byId("sought").value);
}

// Shows a record, in the place of what was shown before.
export function showRecord(written) {
  openRecord(written);
  takeNotes(written.notes);
  beginPlace();
  byId("perspective").replaceChildren(...data.perspectives.map((each) => element("option", { value: each.key, text: perspectiveName(each) })));
  byId("perspective").disabled = perspectives.length < 2;
  drawTicks();
  drawAbout();
  lookAhead();
}

export function beginViewer(written) {
  showRecord(written);
  followers.push(drawTable, searchAgain, drawLog, () => drawNotes(place.version), drawSentence, drawScrubber, drawFound, drawPerspective);
  byId("perspective").addEventListener("change", (event) => go({ perspective: event.target.value }));
  byId("help-open").addEventListener("click", () => act("help"));
  window.addEventListener("hashchange", () => go(placeInAddress()));
  for (const begin of [beginLog, beginSearch, beginScrubber, beginPlaying, beginHelp, beginKeys]) begin();
  go({ ...placeInAddress(), anew: true });
}
