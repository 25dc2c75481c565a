// The page of one game: to play, to watch, to look back.

import { followSeat, openSeat } from "../common/seat.js";
import { isEntry } from "../client/frames.js";
import { byId } from "../table/elements.js";
import { serviceAs } from "../common/service.js";
import { language } from "../common/words.js";
import { go, perspectives, place } from "../table/place.js";
import { last } from "../table/record.js";
import { beginViewer, showRecord } from "../table/viewer.js";
import { beginPlay } from "../play/start.js";
import { beginReviewing } from "../review/review.js";
import { showConnection } from "./connection.js";
import { followGame, frameFollowers, sceneFollowers, showNewest } from "./live.js";
import { beginNow } from "./now.js";
import { showTrouble } from "./trouble.js";
import { beginVerifying, verifyLine, verifyWhole } from "./verified.js";

const game = decodeURIComponent(location.pathname.split("/")[2]);
const api = serviceAs(openSeat(game));
followSeat(game);
const refused = (trouble) => showTrouble(trouble, game);

async function begin() {
  const history = await api.get(`/v1/games/${game}/history`, { text: language });
  byId("loading").remove();
  const namesPlace = new URLSearchParams(location.hash.slice(1)).has("v");
  beginViewer(history);
  if (history.status === "finished") return lookBack(history);
  if (!namesPlace) go({ version: last });
  // Whoever plays finds the way back where their buttons were.
  if (!history.viewer.startsWith("seat:")) beginNow();
  const end = new AbortController();
  const over = new Promise((wake) => end.signal.addEventListener("abort", wake));
  frameFollowers.push((frame) => isEntry(frame) && verifyLine(frame.data));
  sceneFollowers.push((scene) => scene.status === "finished" && end.abort());
  beginVerifying(api, game);
  await beginPlay({ api, game, history, sceneFollowers, frameFollowers, showNewest: () => showNewest(api, game) });
  const cursor = `${history.version}-${history.hash.slice(0, 8)}`;
  await followGame({ api, game, cursor, signal: end.signal, connected: showConnection, refused });
  await over; // the last table may still be on its way
  return showEnd();
}

// Now that nothing is hidden any more, there is more to see than was told.
async function showEnd() {
  const { version, perspective } = place;
  const history = await api.get(`/v1/games/${game}/history`, { text: language });
  showRecord(history);
  go({ version, perspective: perspectives.includes(perspective) ? perspective : perspectives[0], anew: true });
  showConnection(undefined);
  await lookBack(history);
}

async function lookBack(history) {
  await beginReviewing({ api, game, history });
  await verifyWhole(api, game);
}

begin().catch(refused);
