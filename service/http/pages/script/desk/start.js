// The arbiter's desk: the cases that wait on one side, the one at hand and its table on the other.

import { inLanguage } from "../common/language.js";
import { beginLanguages } from "../common/named.js";
import { refusalOf } from "../common/refusals.js";
import { openSeat } from "../common/seat.js";
import { askUntilAnswered, serviceAs } from "../common/service.js";
import { language, say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { fragment } from "../table/place.js";
import { isSame, openCase, openGame, opened } from "./case.js";
import { beginLeaving, dropWriting, isWriting, mayLeave } from "./leaving.js";
import { gameIn } from "../review/sharing.js";
import { casePanel } from "./panel.js";
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

let asked; // the case or the game that was asked for last

async function followAddress() {
  const wanted = named();
  if (!wanted) return markCurrent(wanted);
  const isHere = isSame(wanted, opened);
  // Whoever stays has the address of where they are again.
  if (opened && !isHere && !mayLeave(wanted.game !== opened.game)) return history.replaceState(null, "", fragment());
  asked = wanted;
  markCurrent(wanted);
  casePanel.inert = false;
  if (isHere && isWriting()) return;
  const api = apiFor(wanted.game);
  if (!api.token) return tell(say("needs_key"));
  casePanel.inert = !isHere;
  const isWanted = () => isSame(asked, wanted);
  // On a phone it lies below the queue.
  const open = () => (wanted.number ? openCase(api, wanted, { changed: showKeptQueue, isWanted }) : openGame(api, wanted, { isWanted }));
  await untilAnswered(open, isWanted).catch(refuse);
  if (!isWanted()) return;
  casePanel.inert = false;
  if (isSame(opened, wanted)) casePanel.focus();
}

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
  if (!mayLeave()) return;
  dropWriting();
  sessionStorage.removeItem(KEPT);
  location.assign(inLanguage("/desk"));
});
window.addEventListener("hashchange", followAddress);
beginLanguages(byId("languages"), language);
beginQueue(showKeptQueue);
beginLeaving();
showKeptQueue().then(followAddress);
