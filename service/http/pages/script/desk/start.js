// The arbiter's desk: the cases that wait on one side, the one at hand and its table on the other.

import { inLanguage } from "../common/language.js";
import { beginLanguages } from "../common/named.js";
import { refusalOf } from "../common/refusals.js";
import { removeToken, seatOf } from "../common/seat.js";
import { askUntilAnswered, serviceAs } from "../common/service.js";
import { forget, keep, kept } from "../common/storage.js";
import { language, say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { fragment, nameInAddress, naming } from "../table/place.js";
import { closeCase, isSame, openCase, openGame, opened } from "./case.js";
import { beginLeaving, isWriting, mayLeave } from "./leaving.js";
import { gameIn } from "../review/sharing.js";
import { casePanel } from "./panel.js";
import { beginQueue, emptyQueue, markCurrent, showQueue } from "./queue.js";

const KEPT = "fieldbook/key";
const NARROW = "(max-width: 52rem)"; // where the queue lies above the case
const WHERE = "sessionStorage"; // of this window only: whoever opens the browser next is somebody else

// What an address names: the case, such as `#case=7f3c9a1e5b/1`, or the game, `#game=7f3c9a1e5b`, and where in it.
// It is read at once: soon the table names its own place there.
function named(fragment = location.hash) {
  const address = new URLSearchParams(fragment.slice(1));
  const [game, number] = (address.get("case") ?? address.get("game") ?? "").split("/");
  return game ? { game, number, version: Number(address.get("v")) || undefined } : undefined;
}

const keptKey = () => kept(KEPT, WHERE) ?? "";

// Who looks: an arbiter by a key, or a party of the case by the seat that this browser keeps.
const apiFor = (game) => serviceAs(keptKey() || (game ? seatOf(game) : ""));

let asked; // the case or the game that was asked for last

async function followAddress() {
  removeToken(); // only the page of a game takes a seat from a link
  const wanted = named();
  if (!mayOpen(wanted)) return stay();
  asked = wanted;
  byId("holding").open = !(wanted && seatOf(wanted.game)); // a party needs no key
  markCurrent(wanted);
  const isHere = isSame(wanted, opened);
  naming.rests = !wanted || !isHere;
  if (!wanted) return closeCase();
  casePanel.inert = false;
  if (isHere && isWriting()) return undefined;
  const api = apiFor(wanted.game);
  if (!api.token) return tell(say("needs_key"));
  casePanel.inert = !isHere;
  const isWanted = () => isSame(asked, wanted);
  const toOpen = { changed: showKeptQueue, read, isWanted, told: tellTrouble };
  await read(() => (wanted.number ? openCase(api, wanted, toOpen) : openGame(api, wanted, toOpen)), isWanted);
  if (!isWanted()) return undefined;
  casePanel.inert = false;
  if (!isSame(opened, wanted)) return undefined;
  naming.rests = false;
  nameInAddress();
  casePanel.focus({ preventScroll: true });
  return casePanel.scrollIntoView({ block: "start" }); // on a phone it lies below the queue
}

// Whether another case may take the place of the one that is open.
const mayOpen = (wanted) => !opened || isSame(wanted, opened) || mayLeave(wanted?.game !== opened.game);

// Whoever stays has the address of where they are again; the entry that they came by stays as it was.
function stay() {
  asked = opened;
  markCurrent(opened);
  naming.rests = casePanel.inert = false;
  history.pushState(null, "", fragment());
}

// Asks until the service answers, while it is wanted: whoever waits is told so, and need not ask again.
async function read(ask, isWanted) {
  try {
    await askUntilAnswered(ask, () => isWanted() && tellTrouble(true), isWanted);
  } catch (problem) {
    if (isWanted()) refuse(problem);
    return;
  }
  tellTrouble(false);
}

// Tells whether the service is away, which passes, or why it refuses something.
function tellTrouble(what) {
  const waits = say("asks_again");
  if (what === true) tell(waits);
  else if (what) refuse(what);
  else if (byId("queue-said").textContent === waits) tell("");
}

// Shows what there is with a key, or the way to give one.
function drawKept() {
  byId("holding").hidden = Boolean(keptKey());
  for (const id of ["filtering", "leaving", "any-game"]) byId(id).hidden = !keptKey();
  byId("no-case").firstElementChild.textContent = say(keptKey() ? "choose_case" : "key_first");
}

async function showKeptQueue() {
  drawKept();
  const key = keptKey();
  const readWithIt = (ask, isWanted) => read(ask, () => isWanted() && keptKey() === key);
  if (key) await showQueue(serviceAs(key), readWithIt);
}

function refuse(problem) {
  if (problem.status === 401) {
    forget(KEPT, WHERE);
    drawKept();
    emptyQueue();
    byId("holding").open = true;
  }
  byId("queue-said").replaceChildren(...refusalOf(problem));
}

function tell(sentence) {
  byId("queue-said").textContent = sentence;
}

byId("holder").addEventListener("submit", async (event) => {
  event.preventDefault();
  keep(KEPT, byId("key").value.trim(), WHERE);
  byId("key").value = "";
  tell("");
  await showKeptQueue();
  await followAddress();
});
byId("any-game").addEventListener("submit", (event) => {
  event.preventDefault();
  const game = gameIn(byId("game-named").value).split("#")[0];
  if (game && mayOpen({ game })) location.hash = `game=${game}`;
});
// Asked before the browser has gone on, whoever stays has nothing to come back from.
byId("cases").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  const isForAnotherWindow = event.ctrlKey || event.metaKey || event.shiftKey;
  if (link && !isForAnotherWindow && !mayOpen(named(link.hash))) event.preventDefault();
});
byId("leave").addEventListener("click", () => {
  if (!mayLeave()) return;
  forget(KEPT, WHERE);
  location.assign(inLanguage("/desk"));
});
window.addEventListener("hashchange", followAddress);
beginLanguages(byId("languages"), language);
byId("filtering").open = !matchMedia(NARROW).matches;
beginQueue(showKeptQueue);
beginLeaving();
showKeptQueue().then(followAddress);
