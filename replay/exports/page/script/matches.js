// Which sentences have what is sought, as the chosen perspective has them.

import { place } from "./place.js";
import { countUpTo, data, last, sentenceAt } from "./record.js";

export const search = { sought: "", matches: [] };

export function find(sought) {
  search.sought = sought.trim().toLocaleLowerCase(data.language);
  search.matches = [];
  if (search.sought) {
    for (let version = 1; version <= last; version += 1) {
      if (sentenceAt(version, place.perspective).toLocaleLowerCase(data.language).includes(search.sought)) search.matches.push(version);
    }
  }
}

export function steppedMatch(direction) {
  const { matches } = search;
  const index = direction > 0 ? countUpTo(matches, place.version) : countUpTo(matches, place.version - 1) - 1;
  return matches[(index + matches.length) % matches.length] ?? place.version;
}
