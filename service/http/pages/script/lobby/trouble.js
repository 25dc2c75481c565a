// What went wrong, in a sentence that says what to do.

import { Unreachable } from "../client/problems.js";
import { language, say, words } from "../common/words.js";
import { element } from "../table/elements.js";

const ABOUT_KEYS = new Set(["key_required", "bad_token", "key_expired", "key_revoked", "scope_missing"]);

export const isAboutKeys = (error) => ABOUT_KEYS.has(error.code);

// The nodes that say it. What only the service knows it says in its own words, which are English.
function sentenceFor(error) {
  const code = error instanceof Unreachable ? "away" : error.code;
  if (words[`trouble_${code}`] !== undefined) return [say(`trouble_${code}`)];
  if (!error.body?.detail) return [say("trouble_other")];
  const detail = element("span", { lang: "en", text: error.body.detail });
  return language === "en" ? [detail] : [say("trouble_refused"), " ", detail];
}

// Shows the sentence, which a screen reader then says; an error of this page's own is for the console too.
export function showTrouble(place, error) {
  place.replaceChildren(...(error ? sentenceFor(error) : []));
  place.hidden = !error;
  if (error && !error.code && !(error instanceof Unreachable)) console.error(error);
}
