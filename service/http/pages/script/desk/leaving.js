// What the reader has half written about a case: whether it may be lost, and how it outlives that the case is drawn anew.

import { say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { endWriting, mayClose } from "../review/writing.js";
import { casePanel } from "./panel.js";

// Asks before the window is closed, too.
export function beginLeaving() {
  window.addEventListener("beforeunload", (event) => { if (isWriting()) event.preventDefault(); });
}

// Whether what is half written here may go; a note is about a game, and stays with it.
export const mayLeave = (isOtherGame = true) => (!isOtherGame || mayClose()) && (!isWriting() || window.confirm(say("leave_sure")));

export function dropWriting() {
  casePanel.replaceChildren();
  endWriting();
}

export const isWriting = () => changedFields().length > 0;

// Draws the case anew, with what was half written in other forms than the one that was sent.
export function keepWriting(draw) {
  const kept = changedFields().filter(({ id }) => id).map(({ id, value }) => [id, value]);
  draw();
  for (const [id, value] of kept) {
    const field = byId(id);
    if (!field) continue;
    field.value = value;
    field.closest("details").open = true;
    field.dispatchEvent(new Event("input", { bubbles: true })); // what its form shows follows it
  }
}

const changedFields = () => [...casePanel.querySelectorAll("textarea, select, input[maxlength]")].filter((each) => each.value !== begun(each));

// What a field has before somebody writes; one to choose from has its first choice.
const begun = (field) => field.defaultValue ?? field.options[0].value;
