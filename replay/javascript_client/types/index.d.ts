export { linesOf } from "./chunks.js";
export { follow } from "./following.js";
export { isEntry } from "./frames.js";
export { CheckedGame, checkRecord, followChecked } from "./checked_game.js";
export { Fieldbook, newKey } from "./fieldbook.js";
export { HistoryLost, Invalid, NotFound, NotPermitted, NotVerified, Problem, RefusedByTheRules, Stale, Unreachable } from "./problems.js";
