// A game that goes on: events as they happen, and the table after them. Who looks at the past stays there.

import { follow } from "../client/following.js";
import { isEntry } from "../client/frames.js";
import { sleep } from "../client/patience.js";
import { mayPass, PAUSE } from "../common/service.js";
import { language } from "../common/words.js";
import { extendLog } from "../table/log.js";
import { go, place } from "../table/place.js";
import { appendEvent, data, last, layers, starts } from "../table/record.js";
import { drawScrubber, drawTicks } from "../table/scrubber.js";
import { namePerspectives } from "../table/viewer.js";

// Called with each scene that is newer than what was known, and with each frame of the stream.
export const sceneFollowers = [];
export const frameFollowers = [];
const LAPSES = ["offer_lapsed", "miss_moves_lapsed"]; // as replay/exports/page/told.py has them
let drawn = 0; // the version of the newest table
let asking = false;

// Follows a game from the record's end to its own, or until `signal` ends it. `connected` hears whether there is a
// connection, `refused` why there is no newer table.
export async function followGame({ api, game, cursor, signal, connected, refused }) {
  drawn = last;
  for await (const frame of follow(api, game, { after: cursor, values: { text: language }, signal, connected })) {
    if (isEntry(frame)) take(frame.data);
    for (const follower of frameFollowers) follower(frame);
    if (last > drawn) showNewest(api, game).catch(refused);
  }
}

function take({ entry, text }) {
  if (entry.version <= last) return;
  const seesNow = place.version === last;
  if (entry.type === "turn_began") starts.turn.push(entry.version);
  if (entry.type === "phase_began") starts.phase.push(entry.version);
  if (entry.command) starts.command.push(entry.version);
  appendEvent({ at: entry.at, actor: entry.actor, text, isLapse: LAPSES.includes(entry.type) });
  extendLog();
  if (seesNow) go({ version: last, follows: true });
}

// Asks for the table after what was told. One question at a time: what happens meanwhile is asked for afterwards.
export async function showNewest(api, game) {
  if (asking) return;
  asking = true;
  try {
    do {
      try {
        takeScene(await api.get(`/v1/games/${game}/scene`, { text: language }));
      } catch (error) {
        // What was told without its table is still to be drawn when the service is back; nothing may tell of it again.
        if (!mayPass(error)) throw error;
        await sleep(error.retryAfter ?? PAUSE);
      }
    } while (drawn < last);
  } finally {
    asking = false;
  }
}

function takeScene(scene) {
  if (scene.version < drawn) return;
  const open = layers.get("open");
  const change = differenceTo(open.newest, scene.scene);
  data.cards = scene.cards;
  drawn = scene.version;
  // The stream may be a little behind: then the table stands at the newest version that was told.
  if (Object.keys(change).length) open.append(Math.min(scene.version, last), change);
  drawTicks();
  drawScrubber();
  namePerspectives();
  if (place.version === last) go({ again: true });
  for (const follower of sceneFollowers) follower(scene);
}

// The parts of a table that are otherwise than before; null for one that is gone.
export function differenceTo(before, parts) {
  const change = {};
  for (const [name, value] of Object.entries(parts)) {
    if (JSON.stringify(before.get(name)) !== JSON.stringify(value)) change[name] = value;
  }
  for (const name of before.keys()) if (!(name in parts)) change[name] = null;
  return change;
}
