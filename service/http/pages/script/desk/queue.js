// The cases of all games that wait for somebody, oldest first, as far as the filters let them through.

import { say, words } from "../common/words.js";
import { moment } from "../common/written.js";
import { byId, element } from "../table/elements.js";

const STATUSES = ["open", "claimed", "ruled", "appealed", "appeal_claimed"];
const REASONS = ["not_agreed", "clock", "wrong_rule", "mistake", "collusion", "conduct", "other"];
const AGES = ["1h", "1d", "3d"];
const AT_ONCE = 20;
let asked; // how the next page is asked for

// Lets the filters ask again for the queue.
export function beginQueue(showAgain) {
  fillFilter("by-status", STATUSES, (each) => say(`status_${each}`));
  fillFilter("by-reason", REASONS, (each) => words[`dispute.${each}`]);
  fillFilter("by-age", AGES, (each) => say(`age_${each}`));
  byId("filters").addEventListener("change", showAgain);
  byId("more-cases").addEventListener("click", () => asked());
}

export async function showQueue(api) {
  byId("cases").replaceChildren();
  await showPage(api, undefined);
}

async function showPage(api, cursor) {
  const query = { status: byId("by-status").value, reason: byId("by-reason").value, older_than: byId("by-age").value, limit: AT_ONCE, cursor };
  const { disputes, next } = await api.get("/v1/disputes", query);
  byId("cases").append(...disputes.map(row));
  byId("more-cases").hidden = !next;
  asked = () => showPage(api, next);
  const count = byId("cases").children.length;
  byId("queue-said").textContent = count ? "" : say("no_cases");
  markCurrent();
}

let current = "";

// Marks the case that is at hand.
export function markCurrent(wanted) {
  if (wanted) current = `${wanted.game}/${wanted.number ?? ""}`;
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
    until ? element("span", { class: "quiet", text: `${say("until")} ${moment(until)}` }) : null,
    arbiter ? element("span", { class: "quiet" }, `${say("arbiter")}: `, element("bdi", { text: arbiter })) : null,
  ));
}

function fillFilter(id, values, name) {
  byId(id).append(element("option", { value: "", text: say("any") }), ...values.map((each) => element("option", { value: each, text: name(each) })));
}
