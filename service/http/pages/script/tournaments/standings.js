// The table of a tournament: who is ahead, and by what.

import { say } from "../common/words.js";
import { figure } from "../common/written.js";
import { element } from "../table/elements.js";
import { person } from "./people.js";

const WHOLE = 2520; // what the service counts as one point

export const points = (counted) => figure(counted / WHOLE, 2);

// What decides after the points; a narrow window shows it below the name. What is nothing is left out of a line.
function figuresOf({ reached = 0, wins = 0, opponents = 0, coins = 0, played = 0, byes = 0 }, format) {
  return [
    ...(format === "knockout" ? [["reached", String(reached)]] : []),
    ["wins", String(wins)],
    ["opponents", points(opponents)],
    ["coins", String(coins)],
    ["played", String(played)],
    ["byes", String(byes)],
  ];
}

export function standingsOf({ standings, format }, names) {
  const [first] = standings;
  const columns = first ? figuresOf(first, format).map(([name]) => name) : [];
  return [element("table", {},
    element("caption", { text: say(format === "duplicate" ? "points_mean_by_seat" : "points_mean") }),
    element("thead", {}, element("tr", {},
      element("th", { scope: "col", text: say("place") }),
      element("th", { scope: "col", text: say("player") }),
      element("th", { scope: "col", class: "number", text: say("points") }),
      ...columns.map((name) => element("th", { scope: "col", class: "number wide", text: say(name) })))),
    element("tbody", {}, ...standings.map((row) => lineOf(row, format, names))))];
}

function lineOf(row, format, names) {
  const figures = figuresOf(row, format);
  const below = figures.map(([name, value]) => `${say(name)} ${value}`).join(" · ");
  return element("tr", {},
    element("td", { class: "number", text: String(row.place) }),
    element("th", { scope: "row" },
      person(names, row.player),
      row.withdrew ? " " : null,
      row.withdrew ? element("span", { class: "badge waits", text: say("withdrew") }) : null,
      element("span", { class: "narrow quiet", text: below })),
    element("td", { class: "number", text: points(row.points ?? 0) }),
    ...figures.map(([, value]) => element("td", { class: "number wide", text: value })));
}
