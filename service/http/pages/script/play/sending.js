// A command on its way: sent once, held until it is answered and the table after it is there, and why it was refused.

import { newKey } from "../client/fieldbook.js";
import { Problem, Unreachable } from "../client/problems.js";
import { detailOf, sectionOf } from "../common/refusals.js";
import { language, say, words } from "../common/words.js";
import { isListed, meaningOf } from "./commands.js";
import { now, sceneFollowers } from "./now.js";

const ONCE = ["offer", "counter", "say"]; // what no rule forbids to do twice by accident
const TRIES = 4; // of a command that others were quicker than, and which still means the same
const SOON = 3000; // milliseconds after which the table is asked for, should nothing tell of it
export const sending = { parcel: undefined, refusal: undefined };
export const sendingFollowers = []; // called when something is on its way, was answered or was refused
const waiting = new Set(); // of those who wait for a version: [version, wake]

const tell = () => sendingFollowers.forEach((follow) => follow());

// Sends a command; nothing else is sent meanwhile. Answers whether it counts; `done` is called when it does, also where
// that is only when it is sent again.
export async function send(command, done = () => {}) {
  if (sending.parcel) return false;
  const unanswered = sending.refusal?.parcel;
  const isThatOne = JSON.stringify(command) === JSON.stringify(unanswered?.command);
  if (isThatOne && ONCE.includes(command.type)) return deliver({ ...unanswered, done });
  const meaning = JSON.stringify(meaningOf(command));
  return deliver({ command, done, key: newKey(), meaning, offeredAt: now.scene.version });
}

// Once more what nothing has answered: with the same key it counts once, whether or not it had arrived.
export function sendAgain() {
  const { parcel } = sending.refusal ?? {};
  return parcel ? deliver(parcel) : false;
}

export function forgetRefusal() {
  sending.refusal = undefined;
  tell();
}

async function deliver(parcel) {
  Object.assign(sending, { parcel, refusal: undefined });
  tell();
  try {
    const answer = await post(parcel);
    await tableOf(answer.version);
    parcel.done();
    return true;
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    sending.refusal = { parcel: error instanceof Unreachable ? parcel : undefined, ...(await reasonOf(error, parcel)) };
    return false;
  } finally {
    sending.parcel = undefined;
    tell();
  }
}

async function post(parcel) {
  for (let left = TRIES; ; left -= 1) {
    // What names no card by its number holds for this table only: in another one it could mean something else.
    const headers = parcel.meaning === undefined ? {} : { "If-Match": `"${now.scene.version}-${now.scene.hash.slice(0, 8)}"` };
    try {
      return await now.api.ask("POST", `/v1/games/${now.game}/commands`, { body: parcel.command, key: parcel.key, values: { text: language }, headers });
    } catch (error) {
      if (error.status !== 412 || !left) throw error;
      await catchUp(error);
      if (!isListed(parcel.command) || JSON.stringify(meaningOf(parcel.command)) !== parcel.meaning) throw error;
    }
  }
}

// Why it was refused, as people understand it, with the section of the booklet where the rules say so.
async function reasonOf(error, parcel) {
  if (error instanceof Unreachable) return { text: say("refused_away") };
  if (error.status === 422) {
    await catchUp(error);
    // A form that was filled in is no listed command: there only its offer or its cards can have gone.
    const isLate = now.scene.version > parcel.offeredAt && !isListed(parcel.command);
    return { text: isLate ? say("refused_late") : say("refused_by_rules"), detail: detailOf(error), section: sectionOf(error) };
  }
  if (error.status === 412) await catchUp(error);
  const known = words[`refused_${error.status}`] ? say(`refused_${error.status}`) : undefined;
  return { text: known ?? say("refused_other"), detail: known ? undefined : detailOf(error) };
}

// Whoever is refused sees the table of that moment first.
async function catchUp(error) {
  await tableOf(error.body.version ?? now.scene.version);
}

// Waits for the table of a version; what happens is told by itself, unless the connection has just gone.
async function tableOf(version) {
  if (now.scene.version >= version) return;
  let entry;
  const told = new Promise((wake) => waiting.add((entry = [version, wake])));
  const timer = setTimeout(() => now.showNewest().then(entry[1], entry[1]), SOON);
  await told;
  clearTimeout(timer);
  waiting.delete(entry);
}

sceneFollowers.push((scene) => {
  for (const [version, wake] of waiting) if (scene.version >= version) wake();
});
