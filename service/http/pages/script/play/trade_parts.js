// The parts of a trade that one presses: a card, a variety that is wanted so many times, somebody to ask.

import { say } from "../common/words.js";
import { chip } from "../table/cards.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { wantMore } from "./draft.js";
import { cardName, cardOf, seatName } from "./now.js";

// A card that is chosen by pressing it. `note` says where it lies, unless it is in the own hand.
export function cardToggle(card, number, note, press) {
  const label = say(note ? "card_there" : "card_in_hand", { card: cardName(card), number, where: note });
  const shown = chip(card, { number });
  shown.removeAttribute("title");
  return pressable(label, press, { class: note ? "toggle card is-revealed" : "toggle card", "aria-pressed": "false" }, shown);
}

// A variety, one more by pressing it, one less by the button behind it.
export function wantedVariety(key, changed) {
  const name = cardName(cardOf(key));
  const count = element("b", { class: "count" });
  const change = (by) => () => {
    wantMore(key, by);
    changed();
  };
  const shown = chip(cardOf(key), { small: false });
  shown.removeAttribute("title");
  const more = pressable(say("one_more", { card: name }), change(1), { class: "toggle card more" }, shown, count);
  const less = pressable(say("one_less", { card: name }), change(-1), { class: "toggle less" }, element("span", { text: "−", "aria-hidden": "true" }));
  return element("span", { class: "variety", role: "group", "aria-label": name }, more, less);
}

// Shows how many are wanted of a variety.
export function fill(variety, count, most) {
  const [more, less] = variety.children;
  variety.classList.toggle("is-wanted", count > 0);
  more.querySelector(".count").textContent = count ? `× ${count}` : "";
  more.setAttribute("aria-label", say("one_more_of", { card: cardName(cardOf(variety.dataset.key)), count }));
  more.setAttribute("aria-disabled", String(count >= most));
  // It stays where the focus is on it.
  less.hidden = !count && document.activeElement !== less;
}

export function recipient(seat, chosen) {
  const button = element("input", { type: "radio", name: "to" });
  button.addEventListener("change", chosen);
  return element("label", { class: "check" }, button, " ", element("bdi", { text: seat === null ? say("everybody") : seatName(seat) }));
}
