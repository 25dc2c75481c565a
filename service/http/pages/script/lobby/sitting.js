// Sitting down at a table that has a seat free: one of the list, or one that a link names.

import { inLanguage } from "../common/language.js";
import { SentOnce } from "../common/once.js";
import { isSeatToken, seatOf } from "../common/seat.js";
import { mayPass, serviceAs } from "../common/service.js";
import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { whilePresent } from "./leaving.js";
import { keepName, keptName, takeSeat } from "./remembered.js";
import { pageOf } from "./rows.js";
import { titleOf } from "./systems.js";
import { showTrouble } from "./trouble.js";

let game = "";
let invitation = ""; // the fragment of the link by which somebody has come, in their address no more
const taking = new SentOnce();

export function beginSitting() {
  byId("sitting").addEventListener("submit", (event) => {
    event.preventDefault();
    sitDown().catch((error) => {
      wait(false);
      showTrouble(byId("sit-trouble"), error);
      showTable();
    });
  });
  byId("sit-leave").addEventListener("click", () => byId("sit").close());
  byId("sit").addEventListener("close", () => {
    if (invitedTo()) history.replaceState(null, "", location.pathname + location.search);
  });
  // Who comes back to a page that the browser has kept whole can sit down elsewhere.
  window.addEventListener("pageshow", ({ persisted }) => persisted && wait(false), { signal: whilePresent });
  window.addEventListener("hashchange", openInvitation, { signal: whilePresent });
  openInvitation();
}

const invitedTo = () => new URLSearchParams(location.hash.slice(1)).get("sit") ?? "";

function openInvitation() {
  if (!invitedTo()) return;
  invitation = location.hash;
  openSitting(invitedTo());
}

// What leads to the same place in another language: who reads that can't read the invitation in this one yet.
export const placeInLobby = () => location.hash || invitation;

export function openSitting(wanted) {
  game = wanted;
  byId("sit-name").value = byId("name").value.trim() || keptName();
  byId("sit-table").textContent = "";
  byId("sit-watch").href = pageOf(game);
  showTrouble(byId("sit-trouble"), null);
  wait(false);
  allowSitting(!isSeatToken(seatOf(game))); // a second seat would replace the first one in this browser
  if (!byId("sit").open) byId("sit").showModal();
  byId("sit-name").focus();
  showTable();
}

// Who sits there; where nobody can sit down any more, what one can do instead.
async function showTable() {
  const asked = game;
  const own = seatOf(game);
  try {
    const table = await serviceAs(own).get(`/v1/games/${encodeURIComponent(game)}`);
    if (asked !== game) return;
    const names = table.seats.filter(({ name }) => name).map(({ name }) => element("bdi", { text: name }));
    const sits = table.viewer.startsWith("seat:");
    const free = table.seats.length - names.length;
    byId("sit-table").replaceChildren(
      `${titleOf(table.system)}: `, ...names.flatMap((name, place) => (place ? [", ", name] : [name])),
      " ", element("span", { class: "badge waits", text: free ? say("free_seats", { count: free }) : say("no_seat_free") }),
      ...(sits ? [" ", element("span", { text: say("sits_here") })] : []),
    );
    // Whoever sits there already goes to their own seat.
    byId("sit-watch").textContent = own ? say("to_the_table") : say("watch_it");
    // The last seat may be one's own already: who got no answer asks for it again.
    allowSitting(!sits && (free > 0 || taking.isOpen));
  } catch (error) {
    if (asked !== game) return;
    allowSitting(mayPass(error) && !isSeatToken(own));
    showTrouble(byId("sit-trouble"), error);
  }
}

async function sitDown() {
  showTrouble(byId("sit-trouble"), null);
  const name = byId("sit-name").value.trim();
  wait(true);
  const path = `/v1/games/${encodeURIComponent(game)}/seats`;
  const answer = await taking.send([path, name], ({ key, seed }) =>
    serviceAs().ask("POST", path, { body: { name: name || say("guest_name"), seed }, key }));
  keepName(name);
  location.assign(inLanguage(takeSeat(answer.game, answer.seat, answer.token)));
}

function wait(isWaiting) {
  byId("sitting").setAttribute("aria-busy", String(isWaiting));
  allowSitting(!isWaiting);
}

function allowSitting(isAllowed) {
  byId("sitting").querySelector("button.main").disabled = !isAllowed;
}
