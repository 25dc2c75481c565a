// What belongs to no player: whose turn it is, the piles, cards lying open, offers.

import { chip, numbered, runs } from "./cards.js";
import { element, filled } from "./elements.js";
import { labelled, labels } from "./record.js";

export function middleOf(table) {
  const tiles = [...piles(table), ...open(table), ...ready(table), ...clock(table), ...ownRules(table)];
  return [element("div", { class: "tiles" }, ...tiles), ...offers(table)];
}

export function statusOf(table) {
  const turn = table.get("turn");
  const shown = [];
  if (turn) shown.push(element("span", { class: "badge turn", text: `${labels.turn} ${turn}` }));
  if (table.has("phase")) shown.push(element("span", { class: "badge phase", text: table.get("phase") }));
  const waits = (table.get("waiting") || []).length > 0;
  // Who is waited for stands at the players, too; it is read out here.
  return [...shown, element("span", { class: waits ? "unseen" : "status-text", text: table.get("status") || "" })];
}

function tile(label, place, ...content) {
  return element("div", { class: "tile", "data-place": place },
    element("span", { class: "label", text: label }), element("div", { class: "cards" }, ...content));
}

function size(count) {
  return element("b", { class: count ? "size" : "size is-empty", text: count });
}

function piles(table) {
  const [draw, exhaustions] = table.get("draw") || [0, 0];
  const [discard, top] = table.get("discard") || [0];
  if (!draw && !discard && !table.get("turn")) return [];
  const again = exhaustions ? element("span", { class: "quiet", text: labelled(labels.exhausted, exhaustions) }) : null;
  const next = (table.get("next") || []).map((card) => chip(card, { small: true }));
  const tiles = [
    tile(labels.draw_pile, "pile:draw", draw ? element("i", { class: "back", "aria-hidden": "true" }) : null, size(draw), again,
      next.length ? element("span", { class: "next", title: labels.next }, ...next) : null),
    tile(labels.discard_pile, "pile:discard", size(discard), top === undefined ? null : chip(top)),
  ];
  return table.has("box") ? [...tiles, tile(labels.out_of_play, "box", ...runs(table.get("box")))] : tiles;
}

function open(table) {
  const tiles = [];
  if (table.has("revealed")) tiles.push(tile(labels.revealed, "revealed", ...numbered(table.get("revealed"), "revealed")));
  (table.get("fans") || []).forEach((fan, number) => {
    tiles.push(tile(filled(labels.fan, { number }), `fan:${number}`, ...runs(fan)));
  });
  return tiles;
}

// Who makes no new offers in this trading; what is open still stands.
function ready(table) {
  if (!table.has("ready")) return [];
  const names = table.get("ready").map((number) => element("bdi", { text: table.get(`${number}.who`) || String(number) }));
  return [tile(labels.no_new_offers, "ready", ...names)];
}

// What each player has left, where a clock is played with, and until when something is due.
function clock(table) {
  if (!table.has("clock")) return [];
  return [tile(labels.clock, "clock", element("ul", {}, ...table.get("clock").map((text) => element("li", { text }))))];
}

// What only some of the games have.
function ownRules(table) {
  const tiles = [];
  const who = (number) => table.get(`${number}.who`) || String(number);
  if (table.has("bonus_pile")) {
    const [pile, discards] = table.get("bonus_pile");
    const gone = element("span", { class: "quiet", text: labelled(labels.discarded, discards) });
    tiles.push(tile(labels.bonus_pile, "pile:bonus", size(pile), discards ? gone : null));
  }
  if (table.has("gifts")) {
    const gifts = table.get("gifts").flatMap(([giver, card]) => [element("bdi", { text: who(giver) }), chip(card)]);
    tiles.push(tile(labels.gifts, "gifts", ...gifts));
  }
  if (table.has("levies")) {
    tiles.push(tile(labels.levies, "levies", ...table.get("levies").map((number) => element("bdi", { text: who(number) }))));
  }
  for (const [number, other] of table.get("promises") || []) {
    const text = filled(labels.spares, { player: who(number), other: who(other) });
    tiles.push(element("div", { class: "tile", "data-place": `promise:${number}:${other}` }, element("span", { text })));
  }
  return tiles;
}

function offers(table) {
  if (!table.has("offers")) return [];
  const items = table.get("offers").map(([number, seat, text]) => element("li", { text, "data-seat": seat, "data-place": `offer:${number}` }));
  return [element("div", { class: "offers" }, element("span", { class: "label", text: labels.offers }), element("ul", {}, ...items))];
}
