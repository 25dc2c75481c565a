// The words of the page, in its language: they stand beside it.

import "./browser.js";
import "./language.js";
import { byId, filled } from "../table/elements.js";

export const language = document.documentElement.lang;
export const words = JSON.parse(byId("words").textContent);
byId("needs-browser")?.remove();
const plurals = new Intl.PluralRules(language);

// A message with its places filled; where it has a plural, `count` decides.
export function say(key, values = {}) {
  const plural = words[`${key}.other`] === undefined ? "" : `.${plurals.select(values.count) === "one" ? "one" : "other"}`;
  const message = words[`${key}${plural}`];
  if (message === undefined) throw new Error(`there is no message '${key}'`);
  return filled(message, values);
}
