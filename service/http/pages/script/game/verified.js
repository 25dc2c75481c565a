// A second opinion in the reader's own browser: everything that the service tells is checked by the second verifier as
// it arrives, and against what the service signed before.

import { CheckedGame, checkRecord } from "../client/checked_game.js";
import { NotVerified } from "../client/problems.js";
import { findingOf } from "../common/findings.js";
import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { keepReceipt, receiptsOf } from "./receipts.js";

let checked; // the game as far as it was checked; undefined where nothing is, or where something does not hold

// Checks a game that goes on; `api` asks for what the stream has not told.
export async function beginVerifying(api, game) {
  if (!canVerify()) return;
  checked = new CheckedGame(api, game, { receipts: receiptsOf(game), keep: (note) => keepReceipt(game, note) });
  await showWhetherItHolds(checked.begin());
}

// Takes a line that the stream told.
export function verifyLine(line) {
  if (checked) showWhetherItHolds(checked.take(line));
}

// Checks a whole record of a game that has ended: also whether every card was dealt as the secret says.
export async function verifyWhole(api, game) {
  if (!canVerify()) return;
  try {
    const { entries } = await checkRecord(api, game, { receipts: receiptsOf(game) });
    show("verified_whole", { version: entries });
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error;
    fail(error);
  }
}

async function showWhetherItHolds(checking) {
  try {
    await checking;
    if (checked?.version) show("verified", { version: checked.version });
  } catch (error) {
    fail(error);
  }
}

// A browser has what hashing takes only where nobody can change a page on its way.
function canVerify() {
  if (window.isSecureContext) return true;
  show("verified_not_here");
  return false;
}

function fail(error) {
  if (!(error instanceof NotVerified)) return show("verified_unknown");
  checked = undefined;
  return show("verified_not", { version: error.version, reason: findingOf(error) });
}

function show(key, values = {}) {
  const sign = byId("verified") ?? byId("help-open").insertAdjacentElement("beforebegin", newSign());
  sign.className = key;
  sign.querySelector("summary").textContent = say(key, values);
  sign.querySelector("p").textContent = words[`${key}_means`] ?? say("verified_means");
}

function newSign() {
  return element("details", { id: "verified" }, element("summary"), element("div", {}, element("p")));
}
