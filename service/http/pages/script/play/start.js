// A seat in a browser: the table is followed as it is now, and everything that the seat may do is a button.

import { language } from "../common/words.js";
import { frameFollowers, newsFollowers, takeScene } from "../game/live.js";
import { followers } from "../table/place.js";
import { seating } from "../table/seats.js";
import { askTheTime, takeClock } from "./clocks.js";
import { now, sceneFollowers, takeNow } from "./now.js";
import { beginPanel, draw, drawPlace, drawSending } from "./panel.js";
import { sendingFollowers } from "./sending.js";
import { hear, drawTalk, readTalk } from "./talk.js";
import { beginTapping, drawPlaces, rememberFocus } from "./tapping.js";

// Begins to play, where the history is that of a seat which plays itself.
export async function beginPlay({ api, game, history }) {
  const seat = /^seat:(\d+)$/.exec(history.viewer);
  if (!seat || !api.token || history.status === "finished") return;
  Object.assign(now, { api, game, seat: Number(seat[1]) });
  const scene = await api.get(`/v1/games/${game}/scene`, { text: language });
  if (!scene.commands) return;
  takeNow(scene);
  seating.first = now.seat;
  beginPanel();
  beginTapping();
  sceneFollowers.push((newer) => takeClock(newer.table.clock), draw, drawPlaces);
  sendingFollowers.push(drawSending);
  followers.unshift(rememberFocus);
  followers.push(drawPlaces, drawPlace);
  newsFollowers.push(takeNow);
  frameFollowers.push(({ event, data }) => {
    if (event === "clock") takeClock(data.clock);
    if (hear(data)) drawTalk();
  });
  takeClock(scene.table.clock);
  takeScene(scene);
  await Promise.all([readTalk(), scene.table.clock ? askTheTime() : undefined]);
}
