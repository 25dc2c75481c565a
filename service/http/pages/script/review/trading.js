// A form for an offer, a counter-offer, or accepting one, in a branch: which cards, for what, and with whom.

import { say } from "../common/words.js";
import { chip } from "../table/cards.js";
import { element } from "../table/elements.js";
import { data, tableAt } from "../table/record.js";
import { labelled } from "./fields.js";

// A form that `send` gets the command from; `form` is what the service says may be filled in.
export function tradeForm(answer, seat, { type, form }, send) {
  const table = tableAt(answer.version, "all");
  const keys = answer.recording.card_keys;
  const who = (number) => (number === null ? say("trade_all") : table.get(`${number}.who`));
  const cardsOf = (part, numbers) => (Array.isArray(table.get(part)) ? table.get(part) : []).filter(([number]) => numbers.includes(number));
  const to = form.to && select(form.to.map((each) => [each ?? "", who(each)]));
  const offers = Array.isArray(form.offer) && select(form.offer.map((each) => [each, sentenceOf(table, each)]));
  const payments = form.payments ?? [];
  const named = (name, part) => boxes(cardsOf(part, form[name] ?? payments.flatMap((each) => each[name])));
  const hand = named("hand", `${seat}.hand`);
  const revealed = boxes(cardsOf("revealed", type === "accept" ? payments.flatMap((each) => each.revealed) : form.revealed));
  const wanted = boxes(cardsOf("revealed", form.want_revealed ?? []));
  const counts = Object.entries(form.want ?? {}).map(([card, most]) => [card, element("input", { type: "number", min: 0, max: most, value: 0 })]);

  const made = element("form", { class: "trade" },
    to && labelled("trade_to", to), offers && labelled("trade_offer", offers),
    group("trade_give", hand, revealed), group("trade_want", wanted),
    counts.length ? element("fieldset", {}, element("legend", { text: say("trade_want_cards") }),
      ...counts.map(([card, input]) => element("label", { class: "wanted" }, chip(keys.indexOf(card), { small: true }), input))) : null,
    element("button", { class: "main", text: say("trade_do") }));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const want = Object.fromEntries(counts.map(([card, input]) => [card, input.valueAsNumber || 0]).filter(([, count]) => count > 0));
    send(type === "accept"
      ? { type, offer: form.offer, hand: checked(hand), revealed: [...form.revealed, ...checked(revealed)] }
      : { type, ...(to ? { to: to.value === "" ? null : Number(to.value) } : { offer: Number(offers.value) }),
        hand: checked(hand), revealed: checked(revealed), want, want_revealed: checked(wanted) });
  });
  return made;
}

const sentenceOf = (table, number) => (table.get("offers") ?? []).find(([each]) => each === number)?.[2] ?? String(number);
const select = (choices) => element("select", {}, ...choices.map(([value, text]) => element("option", { value, text })));
const checked = (group) => [...group.querySelectorAll("input:checked")].map((each) => Number(each.value));

function boxes(cards) {
  return element("div", { class: "boxes" }, ...cards.map(([number, card]) => element("label", {},
    element("input", { type: "checkbox", value: number, "aria-label": `${data.cards[card][0]} ${number}` }), chip(card, { number, small: true }))));
}

function group(key, ...groups) {
  if (!groups.some((each) => each.childElementCount)) return null;
  return element("fieldset", {}, element("legend", { text: say(key) }), ...groups);
}
