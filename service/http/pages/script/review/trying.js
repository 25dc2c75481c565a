// The panel in which one tries another move: what can be played, by hand or by bots, and what was tried before.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { go, place } from "../table/place.js";
import { sentenceAt, tableAt } from "../table/record.js";
import { alertLine, attempt } from "./asking.js";
import { branch, branchFollowers, leaveBranch, playOn } from "./branches.js";
import { button, labelled } from "./fields.js";
import { addPanel, openPanel } from "./panels.js";
import { tradeForm } from "./trading.js";
import { letBranchesLeave, writeNote } from "./writing.js";

const BOTS = ["greedy", "random"];
const FORMS = ["offer", "counter", "accept"]; // that can be filled in here
const section = element("section", { "aria-label": say("panel_branch"), class: "panel" });
const line = alertLine();
let drawnFor; // what the panel shows: the branch, and where one stands

export function beginTrying() {
  addPanel("branch", section, drawTrying);
  branchFollowers.push(() => { drawnFor = undefined; drawTrying(); });
  letBranchesLeave(() => {
    const token = branch.answer?.token;
    leaveBranch();
    return token;
  });
}

function drawTrying() {
  const wanted = `${branch.answer?.token ?? ""} ${place.version}`;
  if (section.hidden || drawnFor === wanted) return;
  drawnFor = wanted;
  const { version } = place;
  if (!branch.answer) {
    section.replaceChildren(
      element("h2", { text: say("panel_branch") }),
      element("p", { class: "quiet", text: say("branch_why") }),
      button("branch_begin", () => play({ version }), { class: "main", id: "try" }), line);
    return;
  }
  const { answer } = branch;
  section.replaceChildren(
    element("h2", { text: say("panel_branch") }), line,
    ...(version < answer.version ? elsewhere(answer, version) : [bots(), legal(answer)]),
    element("div", { class: "row" },
      button("branch_undo", () => play({ undo: 1 }), { disabled: answer.here === 0 }),
      button("branch_note", () => writeNote()),
      button("branch_leave", () => leaveBranch())),
    tried(answer));
}

// Where one stands in the midst of the branch, the moves at its end are of no use.
function elsewhere(answer, version) {
  const here = wayTo(answer).filter((node) => node.version <= version).at(-1);
  return [element("div", { class: "row" },
    button("branch_end", () => go({ version: answer.version })),
    button("branch_here", () => play({ go: here?.number ?? 0 })))];
}

async function play(wanted) {
  section.inert = true;
  const played = await attempt(line, () => playOn(wanted));
  section.inert = false;
  if (played) openPanel("branch");
  section.querySelector("button")?.focus();
}

function bots() {
  const name = element("select", {}, ...BOTS.map((each) => element("option", { value: each, text: say(`bot_${each}`) })));
  const until = (key, how) => button(key, () => play({ bots: { seats: [name.value], ...how } }));
  return element("div", { class: "bots" }, labelled("branch_bots", name),
    element("div", { class: "row" }, until("bots_one", { commands: 1 }), until("bots_turn", { until: "turn" }), until("bots_end", { until: "end" })));
}

function legal(answer) {
  const table = tableAt(answer.version, "all");
  const seats = new Map();
  for (const each of answer.legal) {
    if (each.form && !FORMS.includes(each.form.type)) continue;
    seats.set(each.seat, [...(seats.get(each.seat) ?? []), each]);
  }
  const waits = table.get("waiting") ?? [];
  return element("div", { class: "legal" },
    element("h3", { text: say("branch_moves") }),
    seats.size ? null : element("p", { class: "quiet", text: say("branch_over") }),
    ...[...seats].map(([seat, choices]) => element("details", { open: waits.includes(seat) },
      element("summary", {}, element("bdi", { text: table.get(`${seat}.who`) })),
      element("ul", { class: "choices" }, ...choices.map((each) => element("li", {}, choice(answer, seat, each)))))));
}

function choice(answer, seat, { text, command, form }) {
  const pressed = command
    ? () => play({ play: [{ seat, command }] })
    : () => {
      made.after(tradeForm(answer, seat, form, (filled) => play({ play: [{ seat, command: filled }] })));
      made.disabled = true;
    };
  const made = element("button", { type: "button", text });
  made.addEventListener("click", pressed);
  return made;
}

function wayTo(answer) {
  const way = [];
  for (let number = answer.here; number; number = answer.tree[number - 1].after) way.unshift(answer.tree[number - 1]);
  return way;
}

// All that was tried: the way that one sees as sentences, other ways by how many moves they have.
function tried(answer) {
  if (!answer.tree.length) return "";
  const way = wayTo(answer);
  const others = answer.tree.filter((node) => !way.includes(node) && !answer.tree.some((next) => next.after === node.number));
  let before = answer.origin.version;
  const steps = way.map((node) => {
    const first = before + 1;
    before = node.version;
    return element("li", {}, link(sentenceAt(first, "all"), () => go({ version: node.version })));
  });
  const ends = others.map((node) => element("li", {}, link(say("branch_other", { count: depthOf(answer, node) }), () => play({ go: node.number }))));
  return element("details", { class: "tried", open: ends.length > 0 },
    element("summary", { text: say("branch_tried", { count: answer.tree.length }) }),
    element("ol", {}, ...steps), ends.length ? element("ul", {}, ...ends) : null);
}

function depthOf(answer, node) {
  let depth = 0;
  for (let number = node.number; number; number = answer.tree[number - 1].after) depth += 1;
  return depth;
}

function link(text, pressed) {
  const made = element("button", { type: "button", class: "quiet-link", dir: "auto", text });
  made.addEventListener("click", pressed);
  return made;
}
