// What is said of the game, as the service keeps it: read whole, shown at its moments, and written to.

import { NotFound, NotPermitted } from "../client/problems.js";
import { language } from "../common/words.js";
import { takeNotes } from "../table/notes.js";
import { go } from "../table/place.js";
import { data } from "../table/record.js";
import { drawTicks } from "../table/scrubber.js";
import { forgetKey, hasKey, writerOf } from "./access.js";
import { arrangeNotes } from "./panels.js";

const MOST = 500; // annotations in an answer
const DEEPEST = 3; // how far replies to replies are moved to the right
// `owner` is as whom the reader would write, null for whoever may not; `sets` by their ids.
export const book = { owner: null, sets: new Map(), notes: [] };
export const bookFollowers = []; // called whenever the book was read
let tools;
let reading = 0; // how often the book was asked for: what was asked for before is not shown any more

export async function beginBook(given) {
  tools = given;
  try {
    await readBook();
  } catch (error) {
    // A key that was typed in for another game, which may be private, or was revoked since; a service that is
    // busy says nothing against it.
    if (!(error instanceof NotPermitted || error instanceof NotFound) || !hasKey()) throw error;
    forgetKey();
    await readBook();
  }
}

// Reads all that the reader may see.
export async function readBook() {
  const mine = (reading += 1);
  const found = [];
  let answer = {};
  do {
    answer = await writerOf(tools.api).get(address(), { text: language, limit: MOST, after: answer.next });
    if (mine !== reading) return;
    found.push(...answer.annotations);
  } while (answer.next);
  book.owner = answer.writes_as;
  book.sets = new Map(answer.sets.map((each) => [each.set, each]));
  book.notes = threaded(found);
  showBook();
  for (const follower of bookFollowers) follower();
}

// Shows it in the record that is shown: of a branch only the game up to where it parts is annotated.
export function showBook() {
  takeNotes(book.notes.filter(({ version }) => !(version > data.origin)));
  arrangeNotes();
  drawTicks();
  go({ anew: true });
}

// Sends one entry by `once`, a way to send it once; then there is something new to be read.
export const post = (entry, once) => once(writerOf(tools.api), "POST", address(), entry);

const address = () => `/v1/games/${tools.game}/annotations`;
const keyOf = ({ set, number }) => `${set}/${number}`;

export const isOwn = (set) => book.owner !== null && book.sets.get(set)?.owner === book.owner;

// Whether somebody may go on with a set: one of their own, that they began here.
export const goesOn = ({ set, taken_over: isTakenOver }) => isOwn(set) && !isTakenOver;

// The set that somebody goes on with: the one in which they wrote last, or that of what they reply to.
export function ownSet(preferred) {
  const own = [...book.sets.values()].filter(goesOn);
  const moments = new Map(); // when one wrote last, by the set
  for (const { of: { set, at } } of book.notes) moments.set(set, Math.max(at, moments.get(set) ?? 0));
  own.sort((one, other) => (moments.get(one.set) ?? 0) - (moments.get(other.set) ?? 0));
  return own.find(({ set }) => set === preferred) ?? own.at(-1);
}

// Notes as they are drawn, each reply below what it is about.
function threaded(found) {
  const below = new Map();
  const known = new Set(found.map(keyOf));
  for (const each of found) {
    const about = each.says.to && known.has(keyOf(each.says.to)) ? keyOf(each.says.to) : "";
    below.set(about, [...(below.get(about) ?? []), each]);
  }
  const waiting = (below.get("") ?? []).map((each) => [each, 0]).reverse();
  const notes = [];
  while (waiting.length) {
    const [each, depth] = waiting.pop();
    notes.push({ ...each.shown, version: each.version, depth, of: each });
    const replies = below.get(keyOf(each)) ?? [];
    waiting.push(...replies.map((reply) => [reply, Math.min(depth + 1, DEEPEST)]).reverse());
  }
  return notes;
}
