// The line along which one draws through the game, with ticks where turns begin and where something was said.

import { byId, element, filled } from "./elements.js";
import { annotated } from "./notes.js";
import { go, place } from "./place.js";
import { labels, last, starts, tableAt } from "./record.js";

const range = byId("version");
const FINEST = 400; // ticks of a kind at most: more would touch one another

export function drawTicks() {
  const ticks = [];
  for (const [versions, kind] of [[starts.turn, "turn"], [annotated, "said"]]) {
    const drawn = new Set();
    for (const version of versions) {
      const spot = last > 1 ? Math.round(((version - 1) / (last - 1)) * FINEST) : 0;
      if (drawn.has(spot)) continue;
      drawn.add(spot);
      const tick = element("i", { class: `tick ${kind}` });
      tick.style.setProperty("--at", String(spot / FINEST));
      ticks.push(tick);
    }
  }
  byId("ticks").replaceChildren(...ticks);
  range.max = String(Math.max(last, 1));
}

export function drawScrubber() {
  const { version } = place;
  const status = tableAt(version, place.perspective).get("status") || "";
  range.value = String(version);
  range.style.setProperty("--done", String(last > 1 ? (version - 1) / (last - 1) : 0));
  range.setAttribute("aria-valuetext", `${filled(labels.version_of, { version, last })}. ${status}`);
  byId("go-to").value = String(version);
  byId("of-last").textContent = filled(labels.version_of, { version: "", last });
}

export function beginScrubber() {
  range.addEventListener("input", () => go({ version: Number(range.value) }));
  byId("go").addEventListener("submit", (event) => {
    event.preventDefault();
    const version = Number.parseInt(byId("go-to").value, 10);
    if (!Number.isNaN(version)) go({ version });
    drawScrubber();
    byId("go-to").blur();
  });
}
