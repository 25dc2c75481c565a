// The players: each with name, coins, hand, fields and what lies beside them.

import { backs, coins, numbered, runs, unseen } from "./cards.js";
import { element } from "./elements.js";
import { labelled, labels } from "./record.js";

export const seating = { first: 0 }; // who sits in front

export function seatsOf(table, viewpoint) {
  const active = table.get("active");
  const waiting = new Set(table.get("waiting") || []);
  const seats = [];
  for (let number = 0; table.has(`${number}.who`) || table.has(`${number}.fields`); number += 1) {
    seats.push(seat(table, number, { active: active === number, waits: waiting.has(number), own: viewpoint === number }));
  }
  return [...seats.slice(seating.first), ...seats.slice(0, seating.first)];
}

function seat(table, number, { active, waits, own }) {
  const part = (name) => table.get(`${number}.${name}`);
  const won = part("won") === true;
  const kinds = ["seat", active && "is-active", won && "has-won", own && "is-own"].filter(Boolean).join(" ");
  const id = `seat-name-${number}`;
  const lines = part("fields") ? [hand(part("hand"), number), fields(part("fields"), number), ...beside(part, number)] : [];
  return element("article", { class: kinds, "data-place": `seat:${number}`, "aria-labelledby": id },
    element("h3", { id },
      element("span", { class: "number", text: number, "aria-hidden": "true" }),
      element("bdi", { class: "who", text: part("who") }),
      active ? element("span", { class: "badge active", text: labels.active }) : null,
      waits ? element("span", { class: "badge waits", text: labels.waiting }) : null,
      won ? element("span", { class: "badge won", text: labels.won }) : null,
      part("coins") === undefined ? null : coins(part("coins"), `coins:${number}`),
    ),
    part("score") === undefined ? null : element("p", { class: "score", text: part("score") }),
    ...lines,
  );
}

function line(label, className, ...content) {
  return element("div", { class: `line ${className}` },
    element("span", { class: "label", text: label }), element("div", { class: "cards" }, ...content));
}

function hand(cards, number) {
  const place = `hand:${number}`;
  const known = Array.isArray(cards);
  const shown = line(labels.hand, "hand", ...(known ? numbered(cards, place) : [backs(cards)]));
  if (known && cards.length) shown.querySelector(".chip").classList.add("front");
  shown.dataset.place = place;
  return shown;
}

function fields(list, number) {
  return element("div", { class: "fields" }, ...list.map((field, place) => {
    const empty = !field.cards.length;
    return element("div", { class: empty ? "field is-empty" : "field", "data-place": `field:${number}:${place}` },
      element("span", { class: "label", text: field.name }),
      element("div", { class: "cards" }, ...(empty ? [element("span", { class: "quiet", text: labels.empty })] : runs(field.cards))),
      empty ? null : meter(field),
      field.moves ? element("span", { class: "badge waits", text: labels.may_move }) : null,
    );
  }));
}

// What a field pays by its beanometer, and how many beans are missing to the next coin.
function meter(field) {
  if (field.pays === undefined) return null;
  const missing = field.missing === undefined ? "" : `, ${labelled(labels.missing, field.missing)}`;
  const text = `${labels.pays} ${field.pays}${missing}`;
  const pips = element("span", { class: "pips", "aria-hidden": "true" });
  for (let coin = 0; coin < field.pays; coin += 1) pips.append(element("i", { class: "coin" }));
  return element("div", { class: "meter", title: text },
    field.pays ? pips : null,
    field.missing === undefined ? null : element("span", { class: "missing", "aria-hidden": "true" },
      element("i", { class: "coin next-coin" }), `+${field.missing}`),
    unseen(text),
  );
}

function beside(part, number) {
  const lines = [];
  if (part("aside")) lines.push(line(labels.aside, "aside", ...numbered(part("aside"), `aside:${number}`)));
  for (const name of ["bonus", "claimed"]) {
    if (part(name)) lines.push(line(labels[name], "text", element("span", { text: part(name), "data-place": `${name}:${number}` })));
  }
  return lines;
}
