// The table of the game at hand beside the queue, and what arbiters say of it; a game that goes on, too.

import { language } from "../common/words.js";
import { beginBook, showBook } from "../review/annotations.js";
import { beginWriting, endWriting } from "../review/writing.js";
import { addLog, addPanel, beginPanels } from "../review/panels.js";
import { extendLog } from "../table/log.js";
import { further, go, perspectives, place } from "../table/place.js";
import { data, last, openRecord } from "../table/record.js";
import { drawScrubber, drawTicks } from "../table/scrubber.js";
import { beginViewer, namePerspectives, showRecord } from "../table/viewer.js";
import { casePanel } from "./panel.js";

let shown = ""; // the game whose table is there
let booked = ""; // the game of which is known what arbiters say
let stands = ""; // the case or the game to whose moment one has come
let began = false;

// Shows a game, and says whether it does: not where it is no longer wanted once it was read. `name` says what the address
// names, such as ["case", "7f3c9a1e5b/1"]; one begins at `version`. `anew` reads again what is there already.
export async function showTable(api, game, { name: [kind, value], version, anew = false, isWanted }) {
  const isOther = shown !== game;
  if (isOther || anew) {
    const history = await everything(api, game);
    if (!isWanted()) return false;
    draw(api, history, isOther);
    shown = game;
  }
  document.body.classList.remove("is-empty");
  for (const each of ["case", "game"]) further.delete(each);
  further.set(kind, value);
  if (stands !== value) go({ version, perspective: perspectives[0], anew: true });
  stands = value;
  if (isArbiter(api) && (anew || booked !== game)) await beginBook({ api, game });
  booked = game;
  return isWanted();
}

// Takes what has happened in the game that is shown. Whoever looks at the past stays there; with `goesAlong` one who
// stands at the end goes along.
export async function extendTable(api, game, { isWanted, goesAlong }) {
  const history = await everything(api, game);
  if (!isWanted() || shown !== game) return;
  if (history.status !== data.status) {
    draw(api, history, false); // now that a game is over there is more to see than was told
    if (booked === game) showBook();
    return;
  }
  const seesNow = place.version === last;
  openRecord(history);
  drawTicks();
  drawScrubber();
  extendLog();
  namePerspectives();
  if (goesAlong && seesNow) go({ version: last, follows: true });
}

// Shows none; whoever comes back to a case begins at its moment.
export function leaveTable() {
  stands = "";
  document.body.classList.add("is-empty");
}

const isArbiter = (api) => api.token.startsWith("fbk_");

function draw(api, history, isOther) {
  const before = { ...place, anew: true };
  document.body.classList.remove("is-empty");
  if (began) showRecord(history);
  else beginViewer(history);
  if (!began) begin(api);
  began = true;
  if (!isOther) go(before);
  else endWriting();
}

function begin(api) {
  beginPanels("case");
  addPanel("case", casePanel, () => undefined);
  addLog();
  // Until a game is over only arbiters write about it.
  if (isArbiter(api)) beginWriting();
}

// An arbiter sees every card; a party what its seat sees, and so does a key that may not arbitrate.
async function everything(api, game) {
  const path = `/v1/games/${game}/history`;
  if (!isArbiter(api)) return api.get(path, { text: language });
  const whole = () => api.get(path, { text: language, as: "all" });
  return whole().catch((problem) => (problem.status === 403 ? api.get(path, { text: language }) : Promise.reject(problem)));
}
