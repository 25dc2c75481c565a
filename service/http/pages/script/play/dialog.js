// A question with a few answers, in a dialog: what to do with a card, or whether one means it.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";

// Answers the value of the option that is chosen, undefined where none is. Options: `{ label, value, main }`;
// `text` is a sentence, or the nodes of one; `signal` takes the question back, and without `cancel` there is
// no button for that.
export function choose(title, options, { text, cancel = say("cancel"), signal } = {}) {
  return new Promise((answer) => {
    let chosen;
    const close = (value) => {
      chosen = value;
      dialog.close();
    };
    const dialog = element("dialog", { class: "choice", "aria-labelledby": "choice-title" },
      element("h2", { id: "choice-title", text: title }),
      text ? element("p", {}, ...[text].flat()) : null,
      element("div", { class: "choices" },
        ...options.map(({ label, value, main }) => pressable(label, () => close(value), { class: main ? "act main" : "act" })),
        cancel ? pressable(cancel, () => close(undefined), { class: "act quiet-act" }) : null),
    );
    dialog.addEventListener("click", (event) => event.target === dialog && close(undefined));
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(chosen);
    });
    signal?.addEventListener("abort", () => dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  });
}

export async function confirm(title, label, text) {
  return (await choose(title, [{ label, value: true, main: true }], { text, cancel: say("do_not") })) === true;
}
