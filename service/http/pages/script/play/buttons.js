// Buttons of the panel.

import { element } from "../table/elements.js";

export function pressable(label, press, properties = {}, ...children) {
  const made = element("button", { type: "button", ...properties }, ...(children.length ? children : [label]));
  if (children.length) made.setAttribute("aria-label", label);
  made.addEventListener("click", press);
  return made;
}
