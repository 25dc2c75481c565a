// The page of one game: to play, to watch, to look back.

import { Api } from "../common/api.js";
import { openSeat } from "../common/seat.js";
import { language } from "../common/words.js";
import { go } from "../table/place.js";
import { last } from "../table/record.js";
import { beginViewer } from "../table/viewer.js";
import { beginPlay } from "../play/start.js";
import { follow, frameFollowers, newsFollowers, takeScene } from "./live.js";
import { showConnection } from "./connection.js";
import { showTrouble } from "./trouble.js";

const game = decodeURIComponent(location.pathname.split("/")[2]);
const api = new Api(openSeat(game));

async function begin() {
  const history = await api.get(`/v1/games/${game}/history`, { text: language });
  const namesPlace = new URLSearchParams(location.hash.slice(1)).has("v");
  beginViewer(history);
  if (history.status === "finished") return;
  if (!namesPlace) go({ version: last });
  const showNewest = async () => takeScene(await api.get(`/v1/games/${game}/scene`, { text: language }));
  await beginPlay({ api, game, history, sceneFollowers: newsFollowers, frameFollowers, showNewest });
  await follow({ api, game, cursor: `${history.version}-${history.hash.slice(0, 8)}`, signal: new AbortController().signal, connected: showConnection, refused: showTrouble });
}

begin().catch(showTrouble);
