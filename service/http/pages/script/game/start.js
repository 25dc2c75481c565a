// The page of one game: to play, to watch, to look back.

import { Api } from "../common/api.js";
import { openSeat } from "../common/seat.js";
import { language } from "../common/words.js";
import { beginViewer } from "../table/viewer.js";
import { follow } from "./live.js";
import { showConnection } from "./connection.js";
import { showTrouble } from "./trouble.js";

const game = decodeURIComponent(location.pathname.split("/")[2]);
const api = new Api(openSeat(game));

async function begin() {
  const history = await api.get(`/v1/games/${game}/history`, { text: language });
  beginViewer(history);
  if (history.status === "finished") return;
  await follow({ api, game, cursor: history.cursor, signal: new AbortController().signal, connected: showConnection, refused: showTrouble });
}

begin().catch(showTrouble);
