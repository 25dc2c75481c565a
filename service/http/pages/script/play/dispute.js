// Opening a dispute: what it is about, which version, in one's own words, and whether the game waits for it.

import { newKey } from "../client/fieldbook.js";
import { Unreachable } from "../client/problems.js";
import { refusalOf } from "../common/refusals.js";
import { language, say, words } from "../common/words.js";
import { element } from "../table/elements.js";
import { place } from "../table/place.js";
import { actorAt, last, sentenceAt, starts } from "../table/record.js";
import { pressable } from "./buttons.js";
import { confirm } from "./dialog.js";
import { caseLink } from "./questions.js";
import { now } from "./now.js";

const REASONS = ["not_agreed", "clock", "wrong_rule", "mistake", "collusion", "conduct", "other"];

export function disputeForm() {
  const key = newKey();
  const reason = element("select", { id: "dispute-reason" }, ...REASONS.map((each) => element("option", { value: each, text: capitalised(words[`dispute.${each}`]) })));
  const version = element("input", { id: "dispute-version", inputmode: "numeric", value: disputed(), maxlength: 9 });
  const event = element("p", { class: "quiet", role: "status" });
  const text = element("textarea", { id: "dispute-text", rows: 4, maxlength: 2000, required: true });
  const pause = element("input", { type: "checkbox", id: "dispute-pause" });
  const form = element("div", { class: "labelled-fields" },
    element("p", { text: say("dispute_help") }),
    labelled(say("dispute_reason"), reason), labelled(say("dispute_version"), version), event, labelled(say("dispute_words"), text),
    element("label", { class: "check" }, pause, " ", element("span", { text: say("dispute_pause") })));
  const answer = element("p", { role: "status" });
  const close = pressable(say("close"), leave, { class: "act quiet-act" });
  const done = pressable(say("open_dispute"), open, { class: "act main" });
  const title = element("h2", { id: "dispute-title", text: say("open_dispute") });
  const dialog = element("dialog", { class: "choice", "aria-labelledby": "dispute-title" },
    title, form, answer, element("div", { class: "choices" }, done, close));

  const numbered = () => Number.parseInt(version.value, 10) || 0;
  // Behind the dialog the log can't be read: what happened then stands below its number.
  const tell = () => { event.textContent = numbered() >= 1 && numbered() <= last ? sentenceAt(numbered(), place.perspective) : ""; };

  async function open() {
    if (!text.value.trim()) return text.focus();
    done.disabled = true;
    try {
      const body = { reason: reason.value, text: text.value.trim(), version: numbered(), pause: pause.checked };
      const { dispute } = await now.api.ask("POST", `/v1/games/${now.game}/disputes`, { body, key });
      form.hidden = done.hidden = true;
      title.textContent = say("dispute_title", { number: dispute });
      answer.replaceChildren(say("dispute_is_open", { number: dispute }), " ", caseLink(dispute));
      close.focus();
    } catch (error) {
      answer.replaceChildren(...(error instanceof Unreachable ? [say("refused_away")] : refusalOf(error)));
      done.disabled = false;
    }
    return undefined;
  }

  // What is written is not lost to a key.
  async function leave() {
    const isWritten = !form.hidden && text.value.trim() !== "";
    const ask = () => confirm(say("really"), say("dispute_discard"), say("dispute_unsent"));
    if (!isWritten || (await ask())) dialog.close();
  }

  version.addEventListener("input", tell);
  tell();
  // A browser asks once before it cancels, and not when the key is pressed again.
  const asked = (event) => {
    event.preventDefault();
    leave();
  };
  dialog.addEventListener("cancel", asked);
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && asked(event));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// What it is most likely about: what the reader looks at in the past, else what they did last themselves.
function disputed() {
  if (place.version < last) return place.version;
  const own = starts.command.findLast((version) => actorAt(version) === `seat:${now.seat}`);
  return own >= starts.turn[0] ? own : last;
}

// The words that the log and the desk have for a reason, where they begin a line.
const capitalised = (text) => text[0].toLocaleUpperCase(language) + text.slice(1);

function labelled(label, field) {
  return element("label", { class: "labelled" }, element("span", { text: label }), field);
}
