// The panel that says what a seat could know for certain at this moment, and nothing that it could only guess.

import { language, say } from "../common/words.js";
import { chip } from "../table/cards.js";
import { element } from "../table/elements.js";
import { go, perspectiveName, place } from "../table/place.js";
import { data, tableAt } from "../table/record.js";
import { alertLine, attempt } from "./asking.js";
import { addPanel } from "./panels.js";

const section = element("section", { "aria-label": say("panel_known"), class: "panel" });
const PLACES = ["copies", "own_hand", "other_hands", "fields", "aside", "revealed", "coins", "discarded", "boxed", "fans", "unseen"];
const PAUSE = 150; // milliseconds after a step, for who steps on at once
let tools;
let timer = 0;
let drawnFor;

export function beginKnowledge(given) {
  tools = given;
  addPanel("known", section, drawKnowledge);
}

function drawKnowledge() {
  const { version, perspective } = place;
  const wanted = `${version} ${perspective} ${data.origin ?? ""}`;
  if (drawnFor === wanted) return;
  drawnFor = wanted;
  clearTimeout(timer);
  if (perspective === "all") {
    section.replaceChildren(element("h2", { text: say("panel_known") }), element("p", { class: "quiet", text: say("known_choose") }), choices());
    return;
  }
  timer = setTimeout(() => askFor(version, perspective), PAUSE);
}

const choices = () => element("div", { class: "row perspectives" }, ...data.perspectives.filter(({ key }) => key !== "all").map((each) => {
  const made = element("button", { type: "button", "aria-pressed": String(each.key === place.perspective), text: perspectiveName(each) });
  made.addEventListener("click", () => go({ perspective: each.key }));
  return made;
}));

// What nobody has played nobody has seen either: in a branch it is what could be known where it begins.
async function askFor(stood, perspective) {
  const version = Math.min(stood, data.origin ?? stood);
  const line = alertLine();
  const path = `/v1/games/${tools.game}/scene`;
  const answer = await attempt(line, () => tools.api.get(path, { at: version, as: perspective, text: language, knowledge: true }));
  if (place.version !== stood || place.perspective !== perspective) return;
  if (!answer) drawnFor = undefined;
  const { seat } = data.perspectives.find(({ key }) => key === perspective);
  const who = seat < 0 ? data.labels.public : tableAt(version, "open").get(`${seat}.who`);
  const focused = section.contains(document.activeElement);
  section.replaceChildren(
    element("h2", { text: say("known_heading", { who, version }) }), choices(), line,
    version < stood ? element("p", { class: "quiet", text: say("known_not_in_branch", { version }) }) : "",
    ...(answer ? told(answer) : []));
  if (focused) section.querySelector("[aria-pressed=true]")?.focus();
}

function told({ knowledge, card_keys: keys, scene }) {
  const card = (key) => chip(Math.max(keys.indexOf(key), 0), { small: true });
  const who = (seat) => scene[`${seat}.who`] ?? String(seat);
  if (!knowledge.cards.length) return [element("p", { class: "quiet", text: say("known_nothing") })];
  const unseen = [...knowledge.unseen_coins.entries()].filter(([, count]) => count);
  return [
    element("p", { class: "quiet hint", text: say("known_certain") }),
    element("h3", { text: say("known_cards") }), whereTable(knowledge, card),
    ...knowledge.other_hands.flatMap((hand) => [
      element("h3", {}, element("bdi", { text: who(hand.seat) }), `: ${say("known_hand", { count: hand.size })}`),
      hand.places.some((each) => each !== "?") ? element("p", { class: "cards" }, ...hand.places.map(card)) : null,
      bounds(hand.cards, card)]).filter(Boolean),
    element("h3", { text: say("known_pile", { count: knowledge.draw_pile.size }) }), bounds(knowledge.draw_pile.cards, card),
    ...(knowledge.passed.length ? [element("h3", { text: say("known_passed") }), passed(knowledge.passed, who, card)] : []),
    ...unseen.map(([seat, count]) => element("p", { text: say("known_hidden_coins", { who: who(seat), count }) })),
  ];
}

function whereTable({ cards }, card) {
  const columns = PLACES.filter((name) => cards.some((each) => each[name]));
  return element("div", { class: "scrolled", tabindex: 0, role: "group", "aria-label": say("known_cards") }, element("table", {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col", text: say("known_card") }),
      ...columns.map((name) => element("th", { scope: "col", text: say(`known_${name}`) })))),
    element("tbody", {}, ...cards.map((each) => element("tr", {}, element("th", { scope: "row" }, card(each.card)),
      ...columns.map((name) => element("td", { text: each[name] ?? "·" })))))));
}

// How many of a card there are at least and at most; a card of which there may be none comes after those that are there.
function bounds(cards, card) {
  const sorted = [...cards].sort((one, other) => other.at_least - one.at_least);
  const range = ({ at_least: least, at_most: most }) => (least === most ? String(least) : `${least}–${most}`);
  return element("ul", { class: "bounds" }, ...sorted.map((each) => element("li", { class: each.at_least ? "is-certain" : "" },
    card(each.card), element("span", { text: range(each) }))));
}

function passed(all, who, card) {
  return element("ul", { class: "passed" }, ...all.map((each) => element("li", {},
    element("bdi", { text: who(each.giver) }), " → ", element("bdi", { text: who(each.taker) }), `: ${each.count} `, card(each.card))));
}
