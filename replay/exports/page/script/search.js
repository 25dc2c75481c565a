// The field in which one seeks, and how many sentences have it.

import { byId, filled } from "./elements.js";
import { drawLog } from "./log.js";
import { find, search, steppedMatch } from "./matches.js";
import { go, place } from "./place.js";
import { countUpTo, labels } from "./record.js";

let searchTimer = 0;

export function drawFound() {
  const count = search.matches.length;
  const number = countUpTo(search.matches, place.version);
  byId("found").textContent = !search.sought ? "" : count ? filled(labels.matches, { number, count }) : labels.no_match;
  for (const button of document.querySelectorAll("[data-go^=match]")) button.disabled = !count;
}

export function searchAnew() {
  find(byId("sought").value);
  drawLog({ turned: true });
  drawFound();
}

export function beginSearch() {
  byId("sought").addEventListener("input", () => {
    clearTimeout(searchTimer);
    searchTimer = setTimeout(searchAnew, 200);
  });
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(searchTimer);
    searchAnew();
    go({ version: steppedMatch(1) });
  });
}
