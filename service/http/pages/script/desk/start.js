// The arbiter's desk: the cases that wait on one side, the one at hand and its table on the other.

import { inLanguage } from "../common/language.js";
import { beginLanguages } from "../common/named.js";
import { refusalOf } from "../common/refusals.js";
import { openSeat } from "../common/seat.js";
import { askUntilAnswered, serviceAs } from "../common/service.js";
import { language, say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { openCase, openGame } from "./case.js";
import { beginLeaving, isWriting, mayLeave } from "./leaving.js";
import { gameIn } from "../review/sharing.js";
import { beginQueue, markCurrent, showQueue } from "./queue.js";

const KEPT = "fieldbook/key"; // of this window only: whoever opens the browser next is somebody else

// The case that the address names, such as `#case=7f3c9a1e5b/1`, or the game: `#game=7f3c9a1e5b`.
function named() {
  const address = new URLSearchParams(location.hash.slice(1));
  const [game, number] = (address.get("case") ?? address.get("game") ?? "").split("/");
  return game ? { game, number } : undefined;
}

const keptKey = () => sessionStorage.getItem(KEPT) ?? "";

// Who looks: an arbiter by a key, or a party of the case by the seat that this browser keeps.
const apiFor = (game) => serviceAs(keptKey() || (game ? openSeat(game) : ""));

let opened; // the case or the game at hand

async function followAddress(event) {
  const wanted = named();
  const isHere = isSame(wanted, opened);
  if (isHere && isWriting()) return;
  // Whoever stays has the address of where they are again.
  if (wanted && opened && !isHere && !mayLeave()) return history.replaceState(null, "", event.oldURL);
  markCurrent(wanted);
  if (!wanted) return;
  opened = wanted;
  const api = apiFor(wanted.game);
  if (!api.token) return tell(say("needs_key"));
  // On a phone it lies below the queue.
  const open = () => (wanted.number ? openCase(api, wanted, showKeptQueue) : openGame(api, wanted));
  await untilAnswered(open, () => isSame(named(), wanted)).then(() => byId("case").focus(), refuse);
}

const isSame = (one, other) => one?.game === other?.game && one?.number === other?.number;

// Whoever waits for a service that is away or busy is told so, and need not ask again.
async function untilAnswered(ask, isWanted) {
  const waits = say("asks_again");
  await askUntilAnswered(ask, () => tell(waits), isWanted);
  if (byId("queue-said").textContent === waits) tell("");
}

async function showKeptQueue() {
  byId("holder").hidden = Boolean(keptKey());
  for (const id of ["filters", "leaving", "any-game"]) byId(id).hidden = !keptKey();
  const key = keptKey();
  if (key) await untilAnswered(() => showQueue(serviceAs(key)), () => keptKey() === key).catch(refuse);
}

function refuse(problem) {
  if (problem.status === 401) sessionStorage.removeItem(KEPT);
  if (problem.status === 401) byId("holder").hidden = false;
  byId("queue-said").replaceChildren(...refusalOf(problem));
}

function tell(sentence) {
  byId("queue-said").textContent = sentence;
}

byId("holder").addEventListener("submit", async (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEPT, byId("key").value.trim());
  byId("key").value = "";
  tell("");
  await showKeptQueue();
  await followAddress();
});
byId("any-game").addEventListener("submit", (event) => {
  event.preventDefault();
  const game = gameIn(byId("game-named").value);
  if (game) location.hash = `game=${game.split("#")[0]}`;
});
byId("leave").addEventListener("click", () => {
  sessionStorage.removeItem(KEPT);
  location.assign(inLanguage("/desk"));
});
window.addEventListener("hashchange", followAddress);
beginLanguages(byId("languages"), language);
beginQueue(showKeptQueue);
beginLeaving();
showKeptQueue().then(() => followAddress());
