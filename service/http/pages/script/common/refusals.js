// Why something was not done, as people read it: in their language what the code means, and what only the service knows
// in its own words, which are English.

import { Unreachable } from "../client/problems.js";
import { element } from "../table/elements.js";
import { language, say, words } from "./words.js";

const DETAILED = new Set(["bad_annotation", "contradicts_log", "schema_violation"]); // whose code says too little

// The nodes that say it. An error that is none of the service's goes on.
export function refusalOf(error) {
  if (error instanceof Unreachable) return [say("trouble_away")];
  if (error.code === undefined) throw error;
  const known = words[`refusal.${error.code}`];
  const section = error.section ? ` (${error.section})` : "";
  const detail = element("span", { lang: "en", text: `${error.message}${section}` });
  if (language === "en") return [detail];
  if (known && !DETAILED.has(error.code)) return [known];
  return [known ?? words["refusal.other"], " ", detail];
}
