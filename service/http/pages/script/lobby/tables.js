// The tables that everybody finds: open ones, games going on, games finished. They are looked at while somebody looks.

import { lookAgain } from "../common/following.js";
import { seatOf } from "../common/seat.js";
import { serviceAs } from "../common/service.js";
import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { whilePresent } from "./leaving.js";
import { Listing } from "./listing.js";
import { link, pageOf } from "./rows.js";
import { openSitting } from "./sitting.js";
import { whenKnown } from "./systems.js";
import { showYours } from "./yours.js";

// Whoever sits there already goes to their own seat.
const toSeat = (game) => (seatOf(game) ? link(say("to_the_table"), pageOf(game)) : null);
const ACTS = {
  open: ({ game }) => toSeat(game) ?? sitAt(game),
  running: ({ game }) => toSeat(game) ?? link(say("watch_it"), pageOf(game)),
  finished: ({ game }) => link(say("look_back"), pageOf(game)),
};
const lists = [];

export function beginTables() {
  // Without the key: what everybody finds, and nothing else.
  const api = serviceAs();
  for (const [status, act] of Object.entries(ACTS)) {
    lists.push(new Listing(byId(status), { api, status, act, tell }));
  }
  const look = lookAgain(lookAtAll, tell, whilePresent);
  whenKnown(({ systems }) => {
    byId("only").append(...systems.map(({ system, title }) => element("option", { value: system, text: title })));
    byId("only").disabled = false;
    look();
  });
  byId("only").addEventListener("change", () => {
    for (const list of lists) list.choose(byId("only").value);
    look();
  });
}

function tell(isAway) {
  byId("lists-trouble").textContent = isAway ? say("lists_wait") : "";
}

async function lookAtAll() {
  await Promise.all([...lists.map((list) => list.refresh()), showYours()]);
}

function sitAt(game) {
  const control = element("button", { type: "button", text: say("sit_down") });
  control.addEventListener("click", () => openSitting(game));
  return control;
}
