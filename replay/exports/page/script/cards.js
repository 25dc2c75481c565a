// Cards as chips: a bean in the colour of its variety, its name, and how many there are.

import { element, filled } from "./elements.js";
import { data, labels } from "./record.js";

export function chip(card, { count, number, place, small } = {}) {
  const [name, short, colour] = data.cards[card];
  const hidden = card === 0;
  const own = number === undefined || number < 0 ? "" : filled(labels.card_number, { number });
  return element(
    "span",
    { class: `chip bean-${colour}${small ? " small" : ""}`, title: own ? `${name}, ${own}` : name, "data-place": place },
    count === undefined ? null : element("b", { class: "count", text: count }),
    element("i", { class: "bean", "aria-hidden": "true" }),
    element("span", { class: "name", text: hidden ? "?" : short }),
    ...(own ? [element("sub", { "aria-hidden": "true", text: number }), element("span", { class: "unseen", text: `, ${own}` })] : []),
  );
}

// Neighbours of a kind, counted.
export function runs(list) {
  return list.map(([count, card]) => chip(card, { count }));
}

// Cards with the numbers by which commands name them, each of them a place that can be marked.
export function numbered(list, place) {
  return list.map(([number, card]) => chip(card, { number, place: place ? `${place}:${number}` : undefined }));
}

// Cards that nobody shows: as many backs as there is room for, and the number.
export function backs(count) {
  const shown = Math.min(count, 8);
  const pile = element("span", { class: "backs", "aria-hidden": "true" });
  for (let place = 0; place < shown; place += 1) pile.append(element("i", { class: "back" }));
  return element("span", { class: "hidden-hand" }, count ? pile : null, element("b", { text: count }), unseen(labels.cards));
}

export function unseen(text) {
  return element("span", { class: "unseen", text: ` ${text}` });
}

// The coins of a player.
export function coins(count, place) {
  return element(
    "span",
    { class: "coins", title: labels.coins, "data-place": place },
    element("i", { class: "coin", "aria-hidden": "true" }),
    element("b", { text: count }),
    unseen(labels.coins),
  );
}
