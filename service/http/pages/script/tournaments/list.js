// The list of tournaments, the newest first: looked at again and again, with older ones where somebody wants them.

import { lookAgain, lookFurther } from "../common/following.js";
import { redraw } from "../common/redrawing.js";
import { serviceAs } from "../common/service.js";
import { say } from "../common/words.js";
import { moment } from "../common/written.js";
import { titleOf, whenKnown } from "../lobby/systems.js";
import { byId, element } from "../table/elements.js";

const AT_ONCE = 20;
const api = serviceAs();
let newest = [];
let further = [];
let next = null;

export function beginList() {
  byId("list").hidden = false;
  byId("further").addEventListener("click", () => lookFurther(byId("further"), showFurther, tell));
  whenKnown(draw);
  lookAgain(refresh, tell, new AbortController().signal);
}

function tell(isAway) {
  byId("away").textContent = isAway ? say("page_waits") : "";
}

async function refresh() {
  const page = await api.get("/v1/tournaments", { limit: AT_ONCE });
  newest = page.tournaments;
  if (!further.length) next = page.next;
  draw();
  byId("no-tournaments").hidden = newest.length > 0;
}

async function showFurther() {
  const page = await api.get("/v1/tournaments", { limit: AT_ONCE, cursor: next });
  further.push(...page.tournaments);
  next = page.next;
  draw();
}

function draw() {
  const all = new Map([...further, ...newest].map((each) => [each.tournament, each]));
  const rows = [...all.values()].sort((one, other) => other.created - one.created);
  redraw(byId("all"), rows.map((each) => ({ ...each, title: titleOf(each.system) })), (shown) => shown.map(row));
  byId("further").hidden = next === null;
}

// The list counts the rounds that were paired: while one goes on, it is the last of them, and not how many there will be.
function roundsOf(status, paired) {
  return status === "running" ? say("round_named", { round: paired }) : say("rounds_count", { count: paired });
}

function row({ tournament, name, format, title, status, created, players, rounds }) {
  const parts = [
    title,
    say(`format_${format}`),
    say("players_count", { count: players }),
    ...(rounds ? [roundsOf(status, rounds)] : []),
    moment(created),
  ];
  return element("li", {},
    element("a", { href: `/tournaments/${encodeURIComponent(tournament)}${location.search}` }, element("bdi", { text: name })),
    element("span", { class: `badge is-${status}`, text: say(`is_${status}`) }),
    element("p", { class: "quiet", text: parts.join(" · ") }),
  );
}
