// A second opinion in the reader's own browser: everything that the service tells is checked by the second verifier as
// it arrives, and against what the service signed before.

import { linesOf } from "../common/api.js";
import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { Game, parseKey, parseNote, verify } from "../verifier/verifier.mjs";
import { keepReceipt, receiptsOf } from "./receipts.js";

const told = new Map(); // lines that came by the stream and wait for those before them
const NOT_ENTRIES = ["end", "attached", "annotation"];
let checked; // the verifier's view of the game
let running = false;

// Checks a game that goes on; `api` asks for what the stream has not told.
export async function beginVerifying(api, game) {
  if (!canVerify()) return;
  try {
    checked = new Game();
    for await (const line of linesOf(await api.open(`/v1/games/${game}/record`, "application/x-ndjson"))) {
      const value = JSON.parse(line);
      if (value.record) await checked.begin(headerOf(value), await trustOf(api, game));
      else if (value.attached === "head") keepReceipt(game, value.content);
      else if (!NOT_ENTRIES.some((name) => name in value)) await accept(value);
    }
    show("verified", { version: checked.version });
    await goOn(api, game);
  } catch (error) {
    fail(error);
  }
}

// Takes a line that the stream told.
export function verifyLine(api, game, { entry, salts, hash }) {
  told.set(entry.version, { entry, salts, hash });
  if (checked?.entries && !running) goOn(api, game).catch(fail);
}

// Checks a whole record of a game that has ended: also whether every card was dealt as the secret says.
export async function verifyWhole(api, game) {
  if (!canVerify()) return;
  const receipts = receiptsOf(game);
  const report = await verify(await api.open(`/v1/games/${game}/record`, "application/x-ndjson"), { keys: await keysOf(api), receipts });
  if (report.ok) show("verified_whole", { version: report.entries });
  else fail(report.findings[0]);
}

async function goOn(api, game) {
  running = true;
  try {
    while (told.size) {
      const next = checked.version + 1;
      for (const version of told.keys()) if (version < next) told.delete(version);
      if (told.has(next)) await accept(told.get(next));
      else if (told.size) await catchUp(api, game);
    }
    show("verified", { version: checked.version });
  } finally {
    running = false;
  }
}

async function catchUp(api, game) {
  const { events } = await api.get(`/v1/games/${game}/events`, { after: checked.version });
  for (const { entry, salts, hash } of events) if (entry.version === checked.version + 1) await accept({ entry, salts, hash });
}

async function accept(line) {
  checked.version += 1;
  await checked.follow(line);
}

// The header as one of a record that has entries only.
const headerOf = ({ game, scope, catalogue }) => ({ record: 1, game, scope, catalogue });

async function trustOf(api, game) {
  return { keys: await Promise.all((await keysOf(api)).map(parseKey)), receipts: receiptsOf(game).map((note) => parseNote(note)) };
}

async function keysOf(api) {
  return (await api.get("/v1/signing-keys")).keys.map(({ key }) => key);
}

// A browser has what hashing takes only where nobody can change a page on its way.
function canVerify() {
  if (window.isSecureContext) return true;
  show("verified_not_here");
  return false;
}

function fail(error) {
  if (!error.check) return show("verified_unknown");
  checked = undefined;
  return show("verified_not", { version: error.version ?? 0, reason: error.reason ?? error.message });
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
