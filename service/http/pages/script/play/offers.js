// Open offers as cards: what one would get and give, and to accept, counter or decline each; who has said no.

import { say } from "../common/words.js";
import { chip } from "../table/cards.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { acceptanceOf, choiceAbout, formOf } from "./commands.js";
import { composeCounter } from "./composer.js";
import { keep } from "./kept.js";
import { listed, now, part, revealed, seatName } from "./now.js";
import { payments } from "./payment.js";
import { send } from "./sending.js";

export function drawOffers(section, list) {
  const offers = [...(part("offers") ?? [])].sort((one, other) => rank(one) - rank(other) || one[0] - other[0]);
  section.hidden = !offers.length;
  keep(list, offers.map((offer) => {
    const [number] = offer;
    const acceptance = acceptanceOf(number);
    const answers = { acceptance, counter: canCounter(number), decline: choiceAbout("decline", number), withdraw: choiceAbout("withdraw", number) };
    const sign = [offer, answers, cardsOpen(offer), names(offer)];
    return { key: `offer-${number}`, sign, make: () => card(offer, answers) };
  }));
}

const canCounter = (number) => formOf("counter")?.offer.includes(number) === true;

// Those that one can accept, then the others to answer, one's own, those between others.
function rank([number, seat]) {
  if (acceptanceOf(number)) return 0;
  if (seat === now.seat) return 2;
  return canCounter(number) || choiceAbout("decline", number) ? 1 : 3;
}

function card(offer, { acceptance, counter, decline, withdraw }) {
  const [number, seat, sentence, made] = offer;
  const isMine = seat === now.seat;
  const isForMe = counter || decline || acceptance;
  const id = `offer-title-${number}`;
  const given = [...(made.cards ?? []).map(([count, each]) => chip(each, { count })), ...cardsOf(made.revealed)];
  const wanted = [...(made.want ?? []).map(([count, each]) => chip(each, { count })), ...cardsOf(made.want_revealed)];
  const [first, second] = isForMe ? [say("you_get"), say("you_give")] : isMine ? [say("you_give"), say("you_get")] : [say("they_give"), say("they_get")];
  const buttons = [];
  if (acceptance?.command.form === undefined && acceptance) {
    buttons.push(pressable(acceptLabel(say("accept"), sentence), () => send(acceptance.command), { class: "act main", "data-act": "accept" }, say("accept")));
  } else if (acceptance) {
    buttons.push(pressable(acceptLabel(say("accept_with"), sentence), () => payments(offer, acceptance.command.form), { class: "act main", "data-act": "accept" }, say("accept_with")));
  }
  if (counter) buttons.push(pressable(acceptLabel(say("counter"), sentence), () => composeCounter(offer), { class: "act", "data-act": "counter" }, say("counter")));
  if (decline) buttons.push(pressable(acceptLabel(say("decline"), sentence), () => send(decline.command), { class: "act", "data-act": "decline" }, say("decline")));
  if (withdraw) buttons.push(pressable(acceptLabel(say("withdraw"), sentence), () => send(withdraw.command), { class: "act", "data-act": "withdraw" }, say("withdraw")));
  return element("li", { class: `offer${isForMe ? " is-for-me" : ""}${isMine ? " is-mine" : ""}`, "aria-labelledby": id },
    element("h3", { id }, element("span", { text: title(offer) }), made.counters ? element("span", { class: "quiet", text: ` ${say("answers_offer", { number: made.counters })}` }) : null),
    element("div", { class: "sides" }, side(first, given), side(second, wanted)),
    ...promises(made, seat),
    made.declined?.length ? element("p", { class: "quiet", text: say("said_no", { players: listed(made.declined.map(seatName)) }) }) : null,
    isForMe && !acceptance ? element("p", { class: "quiet", text: say("cannot_pay") }) : null,
    buttons.length ? element("div", { class: "acts" }, ...buttons) : null,
  );
}

const acceptLabel = (label, sentence) => `${label}: ${sentence}`;

function title([number, seat, , made]) {
  const to = made.to === undefined ? say("everybody") : made.to === now.seat ? say("you") : seatName(made.to);
  return say("offer_title", { number, player: seat === now.seat ? say("you") : seatName(seat), to });
}

function side(label, chips) {
  return element("div", { class: "side" }, element("span", { class: "label", text: label }),
    element("div", { class: "cards" }, ...(chips.length ? chips : [element("span", { class: "quiet", text: say("nothing") })])));
}

// Revealed cards that an offer names by their numbers.
function cardsOf(numbers = []) {
  return revealed().filter(([number]) => numbers.includes(number)).map(([number, each]) => chip(each, { number }));
}

const cardsOpen = ([, , , made]) => revealed().filter(([number]) => [...(made.revealed ?? []), ...(made.want_revealed ?? [])].includes(number));
const names = ([, seat, , made]) => [seatName(seat), made.to === undefined ? "" : seatName(made.to)];

function promises(made, seat) {
  const player = seat === now.seat ? say("you") : seatName(seat);
  return [made.spare && say("offer_spares", { player }), made.want_spared && say("offer_wants_spared", { player })]
    .filter(Boolean).map((text) => element("p", { text }));
}
