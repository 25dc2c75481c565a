// The rounds, the newest first and open: who met whom at which table, who had a bye, and the comparison seat by seat.

import { redraw } from "../common/redrawing.js";
import { say } from "../common/words.js";
import { moment } from "../common/written.js";
import { byId, element } from "../table/elements.js";
import { dealCheckOf } from "./checking.js";
import { people } from "./people.js";
import { seatsOf } from "./seats.js";
import { tableOf } from "./tables.js";

const rounds = new Map(); // what is drawn of each, by its number

export function showRounds(found, names) {
  byId("no-rounds").hidden = found.schedule.length > 0;
  for (const played of found.schedule) {
    if (!rounds.has(played.number)) begin(played);
    const drawn = rounds.get(played.number);
    drawn.show = () => show(drawn, found, played, names);
    if (drawn.details.open) drawn.show();
    redraw(drawn.state, stateOf(played), (sentence) => [sentence]);
  }
}

// A round that has just been paired takes the place of the one before, which whoever reads it keeps open.
function begin({ number }) {
  const parts = { state: element("span", { class: "quiet" }) };
  for (const name of ["hint", "byes"]) parts[name] = element("p", { class: name });
  parts.tables = element("ul", { class: "tables" });
  parts.seats = element("div", { class: "by-seat" });
  parts.check = element("div");
  const { state, ...content } = parts;
  const details = element("details", { class: "round", open: true },
    element("summary", {}, element("h3", { text: say("round_named", { round: number }) }), " ", state),
    ...Object.values(content));
  details.addEventListener("toggle", () => { if (details.open) rounds.get(number).show(); });
  const before = rounds.get(number - 1)?.details;
  if (before && !before.contains(document.activeElement)) before.open = false;
  rounds.set(number, { ...parts, details });
  byId("rounds").prepend(details);
}

function stateOf({ tables, is_closed: isClosed }) {
  const over = tables.filter(({ outcome }) => outcome).length;
  return isClosed ? say("round_closed") : say("round_open", { over, tables: tables.length });
}

function show(drawn, { settings, format }, played, names) {
  const isHidden = format === "duplicate" && !played.is_closed;
  const late = !played.is_closed && settings.late_after ? played.at + 1000 * settings.late_after : 0;
  const hints = [isHidden ? say("hidden_round") : "", late ? say("late_from", { moment: moment(late) }) : ""];
  redraw(drawn.hint, hints.filter(Boolean).join(" "), (sentence) => [sentence]);
  redraw(drawn.byes, [played.byes ?? [], [...names]], ([byes]) => (byes.length ? [`${say("has_bye")}: `, ...people(names, byes)] : []));
  redraw(drawn.tables, [played.tables, isHidden, [...names]], ([tables]) =>
    tables.map((table, place) => tableOf(table, place + 1, names, isHidden)));
  if (format !== "duplicate" || !played.is_closed) return;
  redraw(drawn.seats, [played.tables, [...names]], ([tables]) => seatsOf(tables, names));
  redraw(drawn.check, [played.secret], () => dealCheckOf(played));
}
