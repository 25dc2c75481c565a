// The page of one game: to play, to watch, to look back.

import { isEntry } from "../client/frames.js";
import { isEmbedded } from "../common/frame.js";
import { beginLanguages, namedInAddress } from "../common/named.js";
import { rulesOf } from "../common/rules.js";
import { seatOf } from "../common/seat.js";
import { askUntilAnswered, serviceAs } from "../common/service.js";
import { language } from "../common/words.js";
import { go, naming, perspectives, place } from "../table/place.js";
import { last } from "../table/record.js";
import { beginViewer, showRecord } from "../table/viewer.js";
import { byId } from "../table/elements.js";
import { beginPlay } from "../play/start.js";
import { beginReviewing } from "../review/review.js";
import { showConnection } from "./connection.js";
import { forgetDelay, showDelay } from "./delay.js";
import { followLinks, openByLink } from "./link.js";
import { followGame, frameFollowers, sceneFollowers, showNewest } from "./live.js";
import { beginNow } from "./now.js";
import { forgetTrouble, showTrouble } from "./trouble.js";
import { beginVerifying, verifyLine, verifyWhole } from "./verified.js";

const game = namedInAddress();
const api = serviceAs(seatOf(game));
const refused = (trouble) => showTrouble(trouble, game, api.token);

async function begin() {
  followLinks(game);
  await openByLink(api, game, askUntilThere);
  const history = await wholeHistory();
  byId("loading")?.remove();
  const namesPlace = new URLSearchParams(location.hash.slice(1)).has("v");
  // Who loads a game again that goes on goes on with it, and does not look at what was last then.
  naming.last = history.status === "finished";
  beginViewer(history);
  placeRules(history.system);
  placeLanguages();
  if (history.status === "finished") return lookBack(history);
  if (!namesPlace) go({ version: last, follows: true });
  // Whoever plays finds the way back where their buttons were.
  if (!history.viewer.startsWith("seat:")) {
    beginNow();
    showDelay(api, game).catch(refused);
  }
  const end = new AbortController();
  const over = new Promise((wake) => end.signal.addEventListener("abort", wake));
  frameFollowers.push((frame) => isEntry(frame) && verifyLine(frame.data));
  sceneFollowers.push((scene) => scene.status === "finished" && end.abort());
  beginVerifying(api, game);
  const loseTouch = await beginPlay({ api, game, history, ask, sceneFollowers, frameFollowers, showNewest: () => showNewest(api, game) });
  const cursor = `${history.version}-${history.hash.slice(0, 8)}`;
  const connected = (isConnected) => {
    showConnection(isConnected);
    if (!isConnected) loseTouch?.();
  };
  await followGame({ api, game, cursor, signal: end.signal, connected, refused });
  await over; // the last table may still be on its way
  return showEnd();
}

// Whoever waits for a service that is away or busy is told so, and need not ask again.
const ask = (path, values) => askUntilThere(() => api.get(path, values));

async function askUntilThere(asking) {
  const answer = await askUntilAnswered(asking, refused);
  forgetTrouble();
  return answer;
}

const wholeHistory = () => ask(`/v1/games/${game}/history`, { text: language });

// Below the table, where they take no room from those who play.
function placeRules(system) {
  const rules = rulesOf(system);
  if (rules) byId("about").before(rules);
}

function placeLanguages() {
  const list = byId("languages");
  if (isEmbedded()) return list.remove();
  beginLanguages(list, language);
  byId("about").after(list);
}

// Now that nothing is hidden any more, there is more to see than was told.
async function showEnd() {
  const { version, perspective } = place;
  const history = await wholeHistory();
  naming.last = true;
  showRecord(history);
  go({ version, perspective: perspectives.includes(perspective) ? perspective : perspectives[0], anew: true });
  showConnection(undefined);
  forgetDelay();
  await lookBack(history);
}

async function lookBack(history) {
  await beginReviewing({ api, game, history });
  await verifyWhole(api, game);
}

begin().catch(refused);
