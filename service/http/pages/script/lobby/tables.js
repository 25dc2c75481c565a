// The tables that everybody finds: open ones, games going on, games finished. They are looked at while somebody looks.

import { Unreachable } from "../client/problems.js";
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

const PAUSE = 5_000; // milliseconds between two looks
const LONGEST_PAUSE = 60_000;
// Whoever sits there already goes to their own seat.
const toSeat = (game) => (seatOf(game) ? link(say("to_the_table"), pageOf(game)) : null);
const ACTS = {
  open: ({ game }) => toSeat(game) ?? sitAt(game),
  running: ({ game }) => toSeat(game) ?? link(say("watch_it"), pageOf(game)),
  finished: ({ game }) => link(say("look_back"), pageOf(game)),
};
const lists = [];
let timer = 0;
let failures = 0;
let asking = false;
let again = false;

export function beginTables() {
  // Without the key: what everybody finds, and nothing else.
  const api = serviceAs();
  for (const [status, act] of Object.entries(ACTS)) lists.push(new Listing(byId(status), { api, status, act }));
  whenKnown(({ systems }) => {
    byId("only").append(...systems.map(({ system, title }) => element("option", { value: system, text: title })));
    byId("only").disabled = false;
    look();
  });
  byId("only").addEventListener("change", () => {
    for (const list of lists) list.choose(byId("only").value);
    look();
  });
  document.addEventListener("visibilitychange", look, { signal: whilePresent });
  look();
}

function sitAt(game) {
  const control = element("button", { type: "button", text: say("sit_down") });
  control.addEventListener("click", () => openSitting(game));
  return control;
}

// Looks now, and again as long as the page is seen; less often while the service is away.
async function look() {
  clearTimeout(timer);
  again = asking;
  if (document.hidden || asking || whilePresent.aborted) return;
  asking = true;
  try {
    await Promise.all([...lists.map((list) => list.refresh()), showYours()]);
    failures = 0;
    byId("lists-trouble").textContent = "";
  } catch (error) {
    if (whilePresent.aborted) return;
    if (!error.code && !(error instanceof Unreachable)) throw error;
    failures += 1;
    byId("lists-trouble").textContent = say("lists_wait");
  } finally {
    asking = false;
    timer = setTimeout(look, again ? 0 : Math.min(PAUSE * 2 ** failures, LONGEST_PAUSE));
  }
}
