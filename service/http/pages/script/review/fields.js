// Fields of a form, with words of the page.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";

export function button(key, pressed, properties = {}) {
  const made = element("button", { type: "button", text: say(key), ...properties });
  made.addEventListener("click", pressed);
  return made;
}

export const labelled = (key, field) => element("label", { class: "labelled" }, element("span", { text: say(key) }), field);
