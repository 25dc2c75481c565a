// A table of a round: who sat where, what came of it, and the way to its game.

import { seatOf } from "../common/seat.js";
import { say, words } from "../common/words.js";
import { link, pageOf } from "../lobby/rows.js";
import { element } from "../table/elements.js";
import { person } from "./people.js";
import { points } from "./standings.js";

export function tableOf(table, number, names, isHidden) {
  const { players, game, outcome } = table;
  const state = outcome ? `outcome_${outcome.kind}` : game ? "being_played" : "being_set_up";
  return element("li", {},
    element("div", { class: "head" },
      element("h4", { text: say("table_named", { table: number }) }),
      element("span", { class: `badge ${state}`, text: say(state) }),
      wayTo(game, outcome, number, isHidden)),
    outcome?.reason ? element("p", { class: "quiet", text: outcome.reason }) : null,
    element("ol", {}, ...players.map((player, seat) => seatOfTable(table, player, seat, names))));
}

// Where one watches the game, looks back at it, or sits oneself.
function wayTo(game, outcome, number, isHidden) {
  if (!game) return null;
  const isOwn = seatOf(game) !== "";
  if (isHidden && !isOwn) return null;
  const says = isOwn && !outcome ? "to_your_seat" : outcome ? (outcome.kind === "late" ? "to_the_table" : "look_back") : "watch_it";
  const way = link(say(says), pageOf(game));
  way.append(element("span", { class: "unseen", text: ` ${say("table_named", { table: number })}` }));
  return way;
}

function seatOfTable({ outcome, points: counted }, player, seat, names) {
  const won = outcome?.winners?.includes(seat);
  const behind = outcome?.last?.includes(seat);
  const why = words[`last_${outcome?.kind}`] === undefined ? "last_played" : `last_${outcome.kind}`;
  const figures = [
    ...(outcome?.scores?.length ? [say("coins_count", { count: outcome.scores[seat] })] : []),
    ...(counted ? [say("points_count", { points: points(counted[seat]) })] : []),
  ];
  return element("li", {},
    person(names, player),
    won ? " " : null,
    won ? element("span", { class: "badge won", text: say("winner") }) : null,
    behind ? " " : null,
    behind ? element("span", { class: "badge waits", text: say(why) }) : null,
    figures.length ? element("span", { class: "figures quiet", text: figures.join(" · ") }) : null);
}
