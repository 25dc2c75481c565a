// Fieldbook for JavaScript and TypeScript: `docs/clients.md` shows how it is used.

export { CheckedGame, checkRecord, followChecked } from "./checked_game.js";
export { linesOf } from "./chunks.js";
export { Fieldbook, newKey } from "./fieldbook.js";
export { follow } from "./following.js";
export { isEntry } from "./frames.js";
export { HistoryLost, Invalid, NotFound, NotPermitted, NotVerified, Problem, RefusedByTheRules, Stale, Unreachable } from "./problems.js";
