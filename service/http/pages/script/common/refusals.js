// Why something was not done, as people read it: in their language what the code means, and what only the service knows
// in its own words, which are English.

import { Unreachable } from "../client/problems.js";
import { element } from "../table/elements.js";
import { language, say, words } from "./words.js";

const DETAILED = new Set(["bad_annotation", "contradicts_log", "schema_violation"]); // whose code says too little
const HOUSE_RULE = "Fieldbook, house rule"; // the section of what no booklet says

// The nodes that say it. An error that is none of the service's goes on.
export function refusalOf(error) {
  if (error instanceof Unreachable) return [say("trouble_away")];
  if (error.code === undefined) throw error;
  const section = error.section ? ` (${sectionOf(error)})` : "";
  const beginning = language !== "en" && !isKnown(error.code) ? [words[`refusal.${error.code}`] ?? words["refusal.other"], " "] : [];
  return [...beginning, detailOf(error), section];
}

// What the rules or the service have against it: in English with all that it knows, else what the code means.
export function detailOf(error) {
  if (language !== "en" && isKnown(error.code)) return element("span", { text: words[`refusal.${error.code}`] });
  return element("span", { lang: "en", text: error.message });
}

// The section of the booklet, by its printed name.
export const sectionOf = ({ section }) => (section === HOUSE_RULE ? say("house_rule") : section);

const isKnown = (code) => words[`refusal.${code}`] !== undefined && !DETAILED.has(code);
