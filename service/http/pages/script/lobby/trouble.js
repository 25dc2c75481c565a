// What went wrong, in a sentence that says what to do.

import { Unreachable } from "../client/problems.js";
import { say, words } from "../common/words.js";

const ABOUT_KEYS = new Set(["key_required", "bad_token", "key_expired", "key_revoked", "scope_missing"]);

export const isAboutKeys = (error) => ABOUT_KEYS.has(error.code);

export function sentenceFor(error) {
  const code = error instanceof Unreachable ? "away" : error.code;
  if (words[`trouble_${code}`] !== undefined) return say(`trouble_${code}`);
  return error.body?.detail ?? say("trouble_other");
}

// Shows the sentence, which a screen reader then says; an error of this page's own is for the console too.
export function showTrouble(place, error) {
  place.textContent = error ? sentenceFor(error) : "";
  place.hidden = !error;
  if (error && !error.code && !(error instanceof Unreachable)) console.error(error);
}
