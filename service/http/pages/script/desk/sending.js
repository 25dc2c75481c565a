// Sending from a form: one thing at a time, and why it was refused stands in it.

import { refusalOf } from "../common/refusals.js";
import { element } from "../table/elements.js";

// Whether a form in this part is on its way.
export const isOnItsWay = (part) => Boolean(part.closest("[data-sending]") ?? part.querySelector("[data-sending]"));

// A way to do what sends from a form. Its buttons rest meanwhile; whoever is refused has the focus again.
export function sendingFrom(form) {
  const refused = element("p", { class: "refused", role: "alert" });
  form.append(refused);
  return async (work) => {
    const buttons = form.querySelectorAll("button");
    const focused = document.activeElement;
    let why;
    form.dataset.sending = "";
    buttons.forEach((button) => (button.disabled = true));
    refused.replaceChildren();
    try {
      await work();
    } catch (problem) {
      why = refusalOf(problem);
    } finally {
      delete form.dataset.sending;
      buttons.forEach((button) => (button.disabled = false));
    }
    if (!why) return;
    refused.replaceChildren(...why);
    if (form.contains(focused) && document.activeElement === document.body) focused.focus();
    refused.scrollIntoView({ block: "nearest" });
  };
}
