// The tables at which somebody sits in this browser, also those that are in no list.

import { Problem } from "../client/problems.js";
import { forgetTable, keptTables, leaveSeat, seatOf } from "../common/seat.js";
import { serviceAs } from "../common/service.js";
import { say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { link, pageOf, Row } from "./rows.js";

const GONE = new Set(["game_not_found", "not_your_game", "bad_token"]);
const rows = new Map();

export function beginYours() {
  byId("yours").hidden = !keptTables().length;
}

export async function showYours() {
  await Promise.all(keptTables().map(showTable));
  byId("yours").hidden = rows.size === 0;
}

async function showTable(game) {
  try {
    const table = await serviceAs(seatOf(game)).get(`/v1/games/${encodeURIComponent(game)}`);
    // Everybody finds it among the games that are over.
    if (table.status === "finished" && table.visibility === "public") return forget(game);
    if (!rows.has(game)) {
      rows.set(game, new Row({ game }, () => link(say("to_the_table"), pageOf(game))));
      byId("yours").querySelector("ul").append(rows.get(game).element);
    }
    rows.get(game).show(summaryOf(game, table));
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || !GONE.has(error.code)) throw error;
    leaveSeat(game);
    return forget(game);
  }
}

function forget(game) {
  forgetTable(game);
  rows.get(game)?.element.remove();
  rows.delete(game);
}

// The table as the lists have it, and whether it waits for whoever sits here.
function summaryOf(game, { system, status, seats, viewer, waiting_for: waiting, result }) {
  return {
    game,
    system,
    status,
    players: seats.map(({ name }) => name),
    kinds: seats.map(({ kind }) => kind),
    scores: result?.scores,
    winners: result?.winners,
    validation: "pending",
    waits: status === "running" && waiting.some((seat) => viewer === `seat:${seat}`),
  };
}
