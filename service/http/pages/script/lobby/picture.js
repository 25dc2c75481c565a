// The picture of a table: one that was played by the rules, drawn as every table is.

import { words } from "../common/words.js";
import { byId } from "../table/elements.js";
import { middleOf, statusOf } from "../table/middle.js";
import { openRecord } from "../table/record.js";
import { seatsOf } from "../table/seats.js";

export function drawPicture() {
  const { cards, scene, seat } = JSON.parse(byId("data").textContent).picture;
  openRecord({ cards, labels: words, last: 0, at: [], starts: {}, layers: {} });
  const table = new Map(Object.entries(scene));
  const drawn = byId("drawn");
  drawn.querySelector(".status").append(...statusOf(table));
  drawn.querySelector(".middle").append(...middleOf(table));
  drawn.querySelector(".seats").append(...seatsOf(table, seat));
  // It is one picture: nothing in it is a place or a heading of its own.
  for (const each of drawn.children) each.setAttribute("aria-hidden", "true");
  for (const each of drawn.querySelectorAll("[id]")) each.removeAttribute("id");
}
