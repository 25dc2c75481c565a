// One tournament, drawn again as soon as it has moved on: each part of the page for itself.

import { lookAgain } from "../common/following.js";
import { redraw } from "../common/redrawing.js";
import { serviceAs } from "../common/service.js";
import { say, words } from "../common/words.js";
import { titleOf, whenKnown } from "../lobby/systems.js";
import { byId, element } from "../table/elements.js";
import { aboutOf, stateOf } from "./about.js";
import { checkOf } from "./checking.js";
import { namesIn, person } from "./people.js";
import { showRounds } from "./rounds.js";
import { standingsOf } from "./standings.js";

const PAUSE_AFTER_THE_END = 60_000; // milliseconds: only a ruling changes it still
const api = serviceAs();
const ended = new AbortController();
let found;
let clocks = {};

export function beginTournament(tournament) {
  whenKnown((answer) => {
    ({ clocks } = answer);
    if (found) draw();
  });
  lookAgain(() => look(tournament), (isAway) => { byId("away").textContent = isAway ? say("page_waits") : ""; }, ended.signal);
}

async function look(tournament) {
  try {
    found = await api.get("/v1/tournaments/{tournament}", { tournament });
  } catch (error) {
    if (words[`trouble_${error.code}`] === undefined || error.status !== 404) throw error;
    ended.abort();
    byId("trouble-said").textContent = say(`trouble_${error.code}`);
    byId("trouble").hidden = false;
    return undefined;
  }
  draw();
  return found.status === "finished" ? PAUSE_AFTER_THE_END : undefined;
}

function draw() {
  const names = namesIn(found.field);
  document.title = `${found.name} · Fieldbook`;
  byId("name").textContent = found.name;
  redraw(byId("state"), [found.status, stateOf(found, names)], ([status, sentence]) => [
    element("span", { class: `badge is-${status}`, text: say(`is_${status}`) }), " ", sentence]);
  redraw(byId("about"), [titleOf(found.system), found.settings, found.created, clocks], () => aboutOf(found, clocks));
  byId("standings-part").hidden = found.schedule.length === 0;
  redraw(byId("standings"), [found.standings, found.field, found.format], () => standingsOf(found, names));
  showRounds(found, names);
  showField(names);
  redraw(byId("check"), [found.hash, found.schedule.length], () => checkOf(found));
  byId("tournament").hidden = false;
}

function showField(names) {
  const part = byId("field-part");
  if (byId("tournament").hidden) part.open = found.schedule.length === 0;
  byId("field-title").textContent = say("who_takes_part", { count: found.field.length });
  redraw(byId("field"), found.field, (field) => field.map(({ player, withdrew }) => element("li", {},
    person(names, player),
    withdrew ? " " : null,
    withdrew ? element("span", { class: "badge waits", text: say("withdrew") }) : null)));
}
