// Whether the reader may go to another case: what they have half written about this one would be lost.

import { say } from "../common/words.js";
import { mayClose } from "../review/writing.js";
import { casePanel } from "./panel.js";

// Asks before the window is closed, too.
export function beginLeaving() {
  window.addEventListener("beforeunload", (event) => { if (isWriting()) event.preventDefault(); });
}

export const mayLeave = () => mayClose() && (!isWriting() || window.confirm(say("leave_sure")));

export const isWriting = () => [...casePanel.querySelectorAll("textarea, input[maxlength]")].some((each) => each.value !== each.defaultValue);
