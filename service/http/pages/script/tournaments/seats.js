// A duplicate round seat by seat: how each did against the others who sat there, with the same cards.

import { say } from "../common/words.js";
import { pageOf } from "../lobby/rows.js";
import { element } from "../table/elements.js";
import { person } from "./people.js";
import { points } from "./standings.js";

export function seatsOf(tables, names) {
  const seats = Math.max(...tables.map(({ players }) => players.length));
  return [
    element("h4", { text: say("by_seat") }),
    element("p", { class: "quiet", text: say("by_seat_means") }),
    element("div", { class: "seats-compared" }, ...Array.from({ length: seats }, (_, seat) => comparison(tables, seat, names))),
  ];
}

function comparison(tables, seat, names) {
  const rows = tables.flatMap(({ players, game, outcome, points: counted }, place) => (outcome && players[seat] !== undefined
    ? [{ player: players[seat], game, table: place + 1, coins: outcome.scores?.[seat], counted: counted[seat] }] : []));
  rows.sort((one, other) => other.counted - one.counted || (other.coins ?? 0) - (one.coins ?? 0));
  return element("table", {},
    element("caption", { text: say("seat_named", { seat: seat + 1 }) }),
    element("thead", {}, element("tr", {},
      element("th", { scope: "col", text: say("player") }),
      element("th", { scope: "col", text: say("table") }),
      element("th", { scope: "col", class: "number", text: say("coins") }),
      element("th", { scope: "col", class: "number", text: say("points") }))),
    element("tbody", {}, ...rows.map(({ player, game, table, coins, counted }) => element("tr", {},
      element("th", { scope: "row" }, person(names, player)),
      element("td", {}, game ? element("a", { href: pageOf(game), text: String(table) }) : String(table)),
      element("td", { class: "number", text: coins === undefined ? "–" : String(coins) }),
      element("td", { class: "number", text: points(counted) })))));
}
