// Asking the service for what a reader wants: what it refuses is said where they are.

import { Away, Problem } from "../common/api.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";

// A line that says what went wrong, and is read out then.
export const alertLine = () => element("p", { class: "refusal", role: "alert" });

// What `work` gives; undefined where it could not be done, which `line` then says.
export async function attempt(line, work) {
  line.textContent = "";
  try {
    return await work();
  } catch (error) {
    line.textContent = sentenceOf(error);
    return undefined;
  }
}

function sentenceOf(error) {
  if (error instanceof Away) return say("trouble_away");
  if (error instanceof Problem) return error.section ? `${error.message} (${error.section})` : error.message;
  throw error;
}
