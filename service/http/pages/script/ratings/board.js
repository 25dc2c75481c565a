// A board: the players of a game, people or bots, the best first.

import { lookAgain, lookFurther } from "../common/following.js";
import { redraw } from "../common/redrawing.js";
import { serviceAs } from "../common/service.js";
import { say } from "../common/words.js";
import { moment, month } from "../common/written.js";
import { whenKnown } from "../lobby/systems.js";
import { byId, element } from "../table/elements.js";
import { addressOf, chosen } from "./addresses.js";
import { inPoints, nameOf, spread } from "./standing.js";

const AT_ONCE = 50;
const PAUSE = 30_000; // milliseconds: boards are counted once a minute
const UNKNOWN = 422; // of a name that no board can have
const api = serviceAs();
let board = chosen();
let first = null; // the first page of what is shown
let further = [];
let next = null;

export function beginBoard() {
  byId("board").hidden = false;
  byId("pool").value = board.pool;
  const look = lookAgain(refresh, tell, new AbortController().signal);
  whenKnown(({ systems }) => {
    byId("system").replaceChildren(...systems.map(({ system, title }) => element("option", { value: system, text: title })));
    const isKnown = systems.some(({ system }) => system === board.system) && byId("pool").value === board.pool;
    byId("pool").disabled = byId("system").disabled = false;
    if (isKnown) byId("system").value = board.system;
    else showNoBoard();
  });
  for (const id of ["system", "pool", "time"]) byId(id).addEventListener("change", () => choose(look));
  byId("further").addEventListener("click", () => lookFurther(byId("further"), showFurther, tell));
}

function tell(isAway) {
  byId("away").textContent = isAway ? say("page_waits") : "";
}

// The address names a board that there is not: whoever wants one chooses it.
function showNoBoard() {
  byId("system").selectedIndex = byId("pool").selectedIndex = -1;
  byId("time").value = "always";
  byId("no-board").hidden = false;
  byId("nobody").hidden = true;
}

function choose(look) {
  if (!byId("system").value) byId("system").value = "classic";
  if (!byId("pool").value) byId("pool").value = "people";
  board = { system: byId("system").value, pool: byId("pool").value, time: byId("time").value };
  byId("no-board").hidden = true;
  history.replaceState(null, "", addressOf("", board));
  further = [];
  look();
}

async function refresh() {
  const asked = board;
  if (!byId("no-board").hidden) return undefined;
  const page = await api.get("/v1/ratings", { ...asked, limit: AT_ONCE }).catch((error) => {
    if (error.status !== UNKNOWN) throw error;
  });
  if (!page) return showNoBoard();
  if (asked !== board) return 0;
  first = page;
  if (!further.length) next = page.next;
  draw();
  return PAUSE;
}

async function showFurther() {
  const asked = board;
  const page = await api.get("/v1/ratings", { ...asked, limit: AT_ONCE, cursor: next });
  if (asked !== board) return;
  further.push(...page.players);
  next = page.next;
  draw();
}

function draw() {
  const players = [...new Map([...first.players, ...further].map((each) => [each.player, each])).values()];
  redraw(byId("players"), [board, players], () => (players.length ? [tableOf(players)] : []));
  redraw(byId("time"), [first.times, board.time], () => timesOf(first.times));
  byId("time").value = board.time;
  byId("nobody").hidden = players.length > 0;
  byId("further").hidden = next === null;
  byId("places-part").hidden = first.seats.length === 0;
  redraw(byId("places"), first.seats, (seats) => [placesOf(seats)]);
}

// What there are boards of, and what is shown, though nobody has played in it.
function timesOf(times) {
  return [...new Set(["always", ...times, board.time])].map((time) =>
    element("option", { value: time, text: Number(time[0]) ? month(time) : say(`time_${time}`) }));
}

function tableOf(players) {
  return element("table", {},
    element("caption", { text: say("rating_means") }),
    element("thead", {}, element("tr", {},
      element("th", { scope: "col", text: say("place") }),
      element("th", { scope: "col", text: say("player") }),
      element("th", { scope: "col", class: "number", text: say("rating") }),
      ...["strength", "games", "wins", "last_game"].map((key) => element("th", { scope: "col", class: "number wide", text: say(key) })))),
    element("tbody", {}, ...players.map(lineOf)));
}

function lineOf({ player, name, rating, mu, sigma, games, wins, last }, place) {
  const figures = [["strength", spread(mu, sigma)], ["games", String(games)], ["wins", String(wins)], ["last_game", moment(last)]];
  const below = figures.slice(1, 3).map(([key, value]) => `${say(key)} ${value}`).join(" · ");
  return element("tr", {},
    element("td", { class: "number", text: String(place + 1) }),
    element("th", { scope: "row" },
      element("a", { href: addressOf(player, board) }, nameOf(player, name)),
      element("span", { class: "narrow quiet", text: below })),
    element("td", { class: "number", text: inPoints(rating) }),
    ...figures.map(([, value]) => element("td", { class: "number wide", text: value })));
}

function placesOf(seats) {
  const columns = ["players", "place_in_order", "worth", "games"];
  return element("table", {},
    element("thead", {}, element("tr", {}, ...columns.map((key) => element("th", { scope: "col", class: "number", text: say(key) })))),
    element("tbody", {}, ...seats.map(({ players, place, mu, sigma, games }) => element("tr", {},
      ...[String(players), String(place + 1), `${inPoints(mu, "exceptZero")} ± ${inPoints(sigma)}`, String(games)].map((text) =>
        element("td", { class: "number", text }))))));
}
