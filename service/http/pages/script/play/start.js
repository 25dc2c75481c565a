// A seat in a browser: the table is followed as it is now, and everything that the seat may do is a button.

import { language } from "../common/words.js";
import { followers } from "../table/place.js";
import { seating } from "../table/seats.js";
import { dressers } from "../table/table.js";
import { askTheTime, takeClock } from "./clocks.js";
import { draftFollowers } from "./draft.js";
import { now, sceneFollowers, takeNow } from "./now.js";
import { beginPanel, draw, drawPlace, drawSending } from "./panel.js";
import { forgetCases, hearCase } from "./questions.js";
import { sendingFollowers } from "./sending.js";
import { hear, drawTalk, readTalk } from "./talk.js";
import { beginTapping, drawPlaces, dressPlaces, rememberFocus } from "./tapping.js";

// Begins to play, where the history is that of a seat which plays itself. Those who follow scenes and frames are called
// as the game goes on; `showNewest` asks for the newest table, and `ask` for what is needed to begin, until it is there.
// Answers what is to be called when the connection is lost.
export async function beginPlay({ api, game, history, ask, sceneFollowers: newer, frameFollowers, showNewest }) {
  const seat = /^seat:(\d+)$/.exec(history.viewer);
  if (!seat || !api.token || history.status === "finished") return;
  Object.assign(now, { api, game, showNewest, seat: Number(seat[1]) });
  const scene = await ask(`/v1/games/${game}/scene`, { text: language });
  if (!scene.commands) return;
  takeNow(scene);
  seating.first = now.seat;
  beginPanel();
  beginTapping();
  sceneFollowers.push(({ table }) => takeClock(table.clock), draw, drawPlaces);
  sendingFollowers.push(drawSending);
  draftFollowers.push(drawPlaces);
  dressers.push(dressPlaces);
  followers.unshift(rememberFocus);
  followers.push(drawPlaces, drawPlace);
  newer.push(takeNow);
  frameFollowers.push(({ event, data }) => {
    if (event === "clock") takeClock(data.clock);
    if (hearCase({ event, data })) draw();
    if (hear(data)) drawTalk();
  });
  await showNewest();
  if (scene.table.clock) askTheTime();
  readTalk();
  return () => {
    forgetCases();
    draw();
  };
}
