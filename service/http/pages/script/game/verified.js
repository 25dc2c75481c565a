// A second opinion in the reader's own browser: everything that the service tells is checked by the second verifier as
// it arrives, and against what the service signed before.

import { CheckedGame, checkRecord } from "../client/checked_game.js";
import { sleep } from "../client/patience.js";
import { NotVerified, Problem } from "../client/problems.js";
import { findingOf } from "../common/findings.js";
import { mayPass, PAUSE } from "../common/service.js";
import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { askForReceipt, keepReceipt, receiptsOf } from "./receipts.js";

const TRIES = 6; // of what the service does not answer; each time after twice the pause
const REST = 60_000; // milliseconds after which something that is told lets it all be tried anew
const BETWEEN_RECEIPTS = 50; // versions
let watched; // the game that goes on, as `{ api, game }`
let checked; // the game as far as it was checked; undefined where nothing is, or where something does not hold
let refuted; // what does not hold: nothing that is checked later makes it good
let signed = 0; // the version about which the service was asked to sign last
let gaveUp = 0; // when nothing could be checked, by the timer of the page

// Checks a game that goes on; `api` asks for what the stream has not told.
export async function beginVerifying(api, game) {
  if (!canVerify()) return;
  watched = { api, game };
  await takeUp();
}

// Takes a line that the stream told. Where nothing could be checked so far the record is asked for anew: it has it.
export function verifyLine(line) {
  if (checked) showWhetherItHolds(checked, checked.take(line)).then(keepSigned);
  else if (watched && !refuted && performance.now() > gaveUp + REST) takeUp();
}

// Checks a whole record of a game that has ended: also whether every card was dealt as the secret says.
export async function verifyWhole(api, game) {
  if (!canVerify()) return;
  try {
    // Of a game that was followed to its end the service says what the end was.
    if (watched) await askAgain(() => askForReceipt(api, game)).catch(() => undefined);
    const { entries } = await askAgain(() => checkRecord(api, game, { receipts: receiptsOf(game) }));
    checked = undefined;
    show("verified_whole", { version: entries });
  } catch (error) {
    fail(error);
  }
}

async function takeUp() {
  const { api, game } = watched;
  const keep = (note) => keepReceipt(game, note);
  const one = new CheckedGame(api, game, { receipts: receiptsOf(game), keep });
  checked = one;
  signed = Infinity; // the record brings what is signed about its end
  await showWhetherItHolds(one, askAgain(() => one.begin(), () => checked === one && !one.isOpen));
  signed = one.version;
  if (one.isOpen) return;
  gaveUp = performance.now();
  if (checked === one) checked = undefined;
}

// What `ask` gives, asked for again where it could not be had and `isWorthIt`; meanwhile the sign says so.
async function askAgain(ask, isWorthIt = () => true) {
  for (let left = TRIES, pause = PAUSE; ; left -= 1, pause *= 2) {
    try {
      return await ask();
    } catch (error) {
      const isFinal = error instanceof NotVerified || (error instanceof Problem && !mayPass(error));
      if (isFinal || left <= 1 || !isWorthIt()) throw error;
      fail(error);
      await sleep(error.retryAfter ?? pause);
    }
  }
}

// Has the service sign the game every now and then. What it does not sign now it signs later.
async function keepSigned() {
  if (!checked || checked.version < signed + BETWEEN_RECEIPTS) return;
  signed = checked.version;
  await askForReceipt(watched.api, watched.game).catch(() => undefined);
}

async function showWhetherItHolds(one, checking) {
  try {
    await checking;
    if (checked === one && one.version) show("verified", { version: one.version });
  } catch (error) {
    if (checked === one || error instanceof NotVerified) fail(error);
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
  show("verified_not", { version: error.version, reason: findingOf(error) });
  refuted ??= error;
  return undefined;
}

function show(key, values = {}) {
  if (refuted) return;
  const sign = byId("verified") ?? byId("help-open").insertAdjacentElement("beforebegin", newSign());
  sign.className = key;
  sign.querySelector("summary").textContent = say(key, values);
  sign.querySelector("p").textContent = words[`${key}_means`] ?? say("verified_means");
}

function newSign() {
  return element("details", { id: "verified" }, element("summary"), element("div", {}, element("p")));
}
