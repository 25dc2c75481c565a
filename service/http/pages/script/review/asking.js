// Asking the service for what a reader wants: what it refuses is said where they are.

import { refusalOf } from "../common/refusals.js";
import { element } from "../table/elements.js";

// A line that says what went wrong, and is read out then.
export const alertLine = () => element("p", { class: "refusal", role: "alert" });

// What `work` gives; undefined where it could not be done, which `line` then says.
export async function attempt(line, work) {
  line.replaceChildren();
  try {
    return await work();
  } catch (error) {
    line.replaceChildren(...refusalOf(error));
    return undefined;
  }
}
