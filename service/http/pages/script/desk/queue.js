// The cases of all games that wait for somebody, oldest first, as far as the filters let them through.

import { say, words } from "../common/words.js";
import { moment } from "../common/written.js";
import { byId, element } from "../table/elements.js";

const STATUSES = ["open", "claimed", "ruled", "appealed", "appeal_claimed"];
const REASONS = ["not_agreed", "clock", "wrong_rule", "mistake", "collusion", "conduct", "other"];
const AGES = ["1h", "1d", "3d"];
const AT_ONCE = 20;
let asked = 0; // how often the queue was asked for: only what was asked for last is shown
let further; // how the next page is asked for

// Lets the filters ask again for the queue.
export function beginQueue(showAgain) {
  fillFilter("by-status", STATUSES, (each) => say(`status_${each}`));
  fillFilter("by-reason", REASONS, (each) => words[`dispute.${each}`]);
  fillFilter("by-age", AGES, (each) => say(`age_${each}`));
  byId("filters").addEventListener("change", showAgain);
  byId("more-cases").addEventListener("click", showMore);
}

// Shows the queue from its beginning. `read` asks until the service answers, or the answer is wanted no more.
export async function showQueue(api, read) {
  const query = { limit: Math.max(AT_ONCE, byId("cases").children.length) }; // what one has gone on to stays
  for (const [name, id] of [["status", "by-status"], ["reason", "by-reason"], ["older_than", "by-age"]]) {
    query[name] = byId(id).value;
  }
  await show({ api, read, query }, (rows) => {
    const focused = byId("cases").contains(document.activeElement) ? document.activeElement.hash : undefined;
    byId("cases").replaceChildren(...rows);
    // Whoever stands on a case that still waits stays there, since others may have caused the change.
    if (focused) [...byId("cases").querySelectorAll("a")].find(({ hash }) => hash === focused)?.focus();
  });
}

// Shows no cases any more: nobody tells what becomes of them.
export function emptyQueue() {
  asked += 1; // what is on its way is shown no more
  byId("cases").replaceChildren();
  byId("more-cases").hidden = true;
}

async function showMore() {
  const before = byId("cases").children.length;
  await show(further, (rows) => byId("cases").append(...rows));
  // The button has rested, and may be gone.
  if (document.activeElement === document.body) byId("cases").children[before]?.querySelector("a").focus();
}

// Asks for a page and shows it, while it is the newest that was asked for: the way on rests meanwhile.
async function show({ api, read, query }, place) {
  const mine = (asked += 1);
  const isWanted = () => mine === asked;
  const more = byId("more-cases");
  more.disabled = true;
  await read(async () => {
    const { disputes, next } = await api.get("/v1/disputes", query);
    if (!isWanted()) return;
    place(disputes.map(row));
    further = { api, read, query: { ...query, limit: AT_ONCE, cursor: next } };
    more.hidden = !next;
    byId("queue-said").textContent = byId("cases").children.length ? "" : say(isFiltered(query) ? "no_cases" : "no_case_waits");
    markAtHand();
  }, isWanted);
  if (isWanted()) more.disabled = false;
}

const isFiltered = ({ status, reason, older_than: age }) => Boolean(status || reason || age);

let current = "";

// Marks the case that is at hand, where one is.
export function markCurrent(wanted) {
  current = wanted ? `${wanted.game}/${wanted.number ?? ""}` : "";
  markAtHand();
}

function markAtHand() {
  for (const link of byId("cases").querySelectorAll("a")) {
    if (link.hash === `#case=${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function row({ game, dispute, status, reason, opened, until, arbiter_name: arbiter }) {
  return element("li", {}, element("a", { href: `#case=${game}/${dispute}` },
    element("b", { text: words[`dispute.${reason}`] ?? reason }),
    element("span", { class: "quiet", text: `${game}/${dispute}` }),
    element("span", { class: `badge ${status}`, text: say(`status_${status}`) }),
    element("span", { class: "quiet", text: `${say("opened")} ${moment(opened)}` }),
    until ? element("span", { class: "quiet", text: `${say(`until_${status}`)} ${moment(until)}` }) : null,
    arbiter ? element("span", { class: "quiet" }, `${say("arbiter")}: `, element("bdi", { text: arbiter })) : null,
  ));
}

function fillFilter(id, values, name) {
  byId(id).append(element("option", { value: "", text: say("any") }), ...values.map((each) => element("option", { value: each, text: name(each) })));
}
