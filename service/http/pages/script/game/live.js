// A game that goes on: events as they happen, and the table after them. Who looks at the past stays there.

import { Away } from "../common/api.js";
import { followEvents } from "../common/stream.js";
import { language } from "../common/words.js";
import { drawLog } from "../table/log.js";
import { go, place } from "../table/place.js";
import { appendEvent, data, last, layers, starts } from "../table/record.js";
import { drawScrubber, drawTicks } from "../table/scrubber.js";

export const newsFollowers = []; // called with each scene that is newer than what was known
export const frameFollowers = []; // called with each frame of the stream
let drawn = 0; // the version of the newest table
let asking = false;

// Follows a game from the record's end. `connected` hears whether there is a connection, `refused` why there is none.
export function follow({ api, game, cursor, signal, connected, refused }) {
  drawn = last;
  const tell = (frame) => {
    if (frame.data.entry) take(frame.data);
    for (const follower of frameFollowers) follower(frame);
    if (last > drawn) askForScene(api, game).catch((error) => refused({ status: error.status, body: error.body ?? {} }));
  };
  return followEvents({ api, game, after: cursor, query: { text: language }, tell, connected, refused, signal });
}

function take({ entry, text }) {
  if (entry.version <= last) return;
  const followsNow = place.version === last;
  if (entry.type === "turn_began") starts.turn.push(entry.version);
  if (entry.type === "phase_began") starts.phase.push(entry.version);
  if (entry.command) starts.command.push(entry.version);
  appendEvent({ at: entry.at, actor: entry.actor, text });
  if (followsNow) place.version = last;
}

// The table after what was told. One question at a time: what happens meanwhile is asked for afterwards.
export async function askForScene(api, game) {
  if (asking) return;
  asking = true;
  try {
    while (drawn < last) {
      try {
        takeScene(await api.get(`/v1/games/${game}/scene`, { text: language }));
      } catch (error) {
        // What was told without its table is still to be drawn when the connection is back; nothing may tell of it again.
        if (!(error instanceof Away)) throw error;
      }
    }
  } finally {
    asking = false;
  }
}

export function takeScene(scene) {
  const open = layers.get("open");
  const change = differenceTo(open.newest, scene.scene);
  data.cards = scene.cards;
  drawn = scene.version;
  // The stream may be a little behind; the table of a version stands at that version, or at the newest that is known.
  if (Object.keys(change).length) open.append(Math.max(Math.min(scene.version, last), open.versions.at(-1) ?? 1), change);
  drawTicks();
  drawLog({ turned: true });
  drawScrubber();
  if (place.version === last) go({ anew: true });
  for (const follower of newsFollowers) follower(scene);
}

function differenceTo(before, parts) {
  const change = {};
  for (const [name, value] of Object.entries(parts)) {
    if (JSON.stringify(before.get(name)) !== JSON.stringify(value)) change[name] = value;
  }
  for (const name of before.keys()) if (!(name in parts)) change[name] = null;
  return change;
}
