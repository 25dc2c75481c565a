// What the reader has half written about a case: whether it may be lost, and how it outlives that the case is drawn anew.

import { say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { endWriting, isHalfWritten, isSending, showHalfWritten } from "../review/writing.js";
import { casePanel } from "./panel.js";

// Asks before the window is closed, too.
export function beginLeaving() {
  window.addEventListener("beforeunload", (event) => { if (isWriting()) event.preventDefault(); });
}

// Whether what is half written here may go, which it does then; one question is about all of it. A note is about a
// game, and stays with it.
export function mayLeave(isOtherGame = true) {
  const isNote = isOtherGame && (isHalfWritten() || isSending());
  if (!isNote && !isWriting()) return true;
  if (!(isNote && isSending()) && window.confirm(say("leave_sure"))) {
    casePanel.replaceChildren();
    if (isOtherGame) endWriting();
    return true;
  }
  if (isNote && !isWriting()) showHalfWritten();
  return false;
}

// Whether what is half written in other forms of the case may go; fields whose ids begin with `staying` stay.
export function mayDropOthers(form, staying) {
  const stays = (each) => form.contains(each) || (staying && each.id.startsWith(staying));
  const others = changedFields().filter((each) => !stays(each));
  return !others.length || window.confirm(say("leave_sure"));
}

// Whether something is half written in a part of the case, or anywhere in it.
export const isWriting = (part = casePanel) => changedFields().some((field) => part.contains(field));

// Draws the case anew, with what was half written in other forms than the one that was sent.
export function keepWriting(draw) {
  const kept = changedFields().filter(({ id }) => id).map(({ id, value, checked }) => [id, value, checked]);
  draw();
  for (const [id, value, checked] of kept) {
    const field = byId(id);
    if (!field) continue;
    Object.assign(field, isTicked(field) ? { checked } : { value });
    field.closest("details").open = true;
    field.dispatchEvent(new Event("input", { bubbles: true })); // what its form shows follows it
  }
}

const changedFields = () => [...casePanel.querySelectorAll("textarea, select, input")].filter(isChanged);

const isTicked = (field) => field.type === "checkbox";
// Unlike what it was before somebody wrote; a field to choose from has its first choice then.
function isChanged(field) {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  return field.value !== (field.defaultValue ?? field.options[0].value);
}
