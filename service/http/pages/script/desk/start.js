// The arbiter's desk: the cases that wait on one side, the one at hand and its table on the other.

import { Api } from "../common/api.js";
import { openSeat } from "../common/seat.js";
import { say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { openCase } from "./case.js";
import { beginQueue, markCurrent, showQueue } from "./queue.js";

const KEPT = "fieldbook/key"; // of this window only: whoever opens the browser next is somebody else

// The case that the address names, such as `#case=7f3c9a1e5b/1`.
function named() {
  const [game, number] = (new URLSearchParams(location.hash.slice(1)).get("case") ?? "").split("/");
  return game && number ? { game, number } : undefined;
}

const keptKey = () => sessionStorage.getItem(KEPT) ?? "";

// Who looks: an arbiter by a key, or a party of the case by the seat that this browser keeps.
const apiFor = (game) => new Api(keptKey() || (game ? openSeat(game) : ""));

async function followAddress() {
  const wanted = named();
  markCurrent(wanted);
  if (!wanted) return;
  const api = apiFor(wanted.game);
  if (!api.token) tell(say("needs_key"));
  else await openCase(api, wanted, showKeptQueue).catch(refuse);
}

async function showKeptQueue() {
  byId("holder").hidden = Boolean(keptKey());
  byId("filters").hidden = byId("leaving").hidden = !keptKey();
  if (keptKey()) await showQueue(new Api(keptKey())).catch(refuse);
}

function refuse(problem) {
  if (problem.status === 401) sessionStorage.removeItem(KEPT);
  if (problem.status === 401) byId("holder").hidden = false;
  tell(problem.message);
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
byId("leave").addEventListener("click", () => {
  sessionStorage.removeItem(KEPT);
  location.assign("/desk");
});
window.addEventListener("hashchange", followAddress);
beginQueue(showKeptQueue);
showKeptQueue().then(followAddress);
