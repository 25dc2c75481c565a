// The table of the game at hand beside the queue, and what arbiters say of it; a game that goes on, too.

import { language } from "../common/words.js";
import { beginBook } from "../review/annotations.js";
import { beginWriting, endWriting } from "../review/writing.js";
import { addLog, addPanel, beginPanels } from "../review/panels.js";
import { further, go, perspectives, place } from "../table/place.js";
import { beginViewer, showRecord } from "../table/viewer.js";
import { casePanel } from "./panel.js";

let shown = ""; // the game whose table is there
let began = false;

// Shows a game, and says whether it does: not where it is no longer wanted once it was read. `name` says what the address
// names, such as ["case", "7f3c9a1e5b/1"]; one begins at `version`. `anew` reads again what is there already.
export async function showTable(api, game, { name: [kind, value], version, anew = false, isWanted }) {
  const isOther = shown !== game;
  const wanted = versionNamed() ?? version; // before the table that begins names its own
  if ((isOther || anew) && !(await show(api, game, isOther, isWanted))) return false;
  for (const each of ["case", "game"]) further.delete(each);
  further.set(kind, value);
  if (isOther) go({ version: wanted, perspective: perspectives[0], anew: true });
  if ((isOther || anew) && isArbiter(api)) await beginBook({ api, game });
  return isWanted();
}

const isArbiter = (api) => api.token.startsWith("fbk_");

async function show(api, game, isOther, isWanted) {
  const history = await everything(api, game);
  if (!isWanted()) return false;
  const stood = { ...place, anew: true };
  document.body.classList.remove("is-empty");
  if (began) showRecord(history);
  else beginViewer(history);
  if (!began) begin(api);
  [began, shown] = [true, game];
  if (!isOther) go(stood);
  else endWriting();
  return true;
}

function begin(api) {
  beginPanels("case");
  addPanel("case", casePanel, () => undefined);
  addLog();
  // Until a game is over only arbiters write about it.
  if (isArbiter(api)) beginWriting();
}

// Where a link leads; without a version of its own it is the disputed one.
const versionNamed = () => Number(new URLSearchParams(location.hash.slice(1)).get("v")) || undefined;

// An arbiter sees every card; a party what its seat sees.
async function everything(api, game) {
  const path = `/v1/games/${game}/history`;
  const whole = () => api.get(path, { text: language, as: "all" });
  return whole().catch((problem) => (problem.status === 403 ? api.get(path, { text: language }) : Promise.reject(problem)));
}
