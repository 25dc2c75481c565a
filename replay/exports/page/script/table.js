// The whole table as the chosen perspective sees it: what lies in the middle, and the seats around it.

import { byId } from "./elements.js";
import { middleOf, statusOf } from "./middle.js";
import { place } from "./place.js";
import { data, tableAt } from "./record.js";
import { seatsOf } from "./seats.js";
import { settle } from "./settle.js";

export const dressers = []; // called with the elements of a table that is about to be shown

export function drawTable() {
  const { seat } = data.perspectives.find((each) => each.key === place.perspective);
  const table = tableAt(place.version, place.perspective);
  const before = tableAt(place.version - 1, place.perspective);
  const seats = seatsOf(table, seat);
  const middle = middleOf(table);
  if (before.get("turn")) markMoved([...middle, ...seats], [...middleOf(before), ...seatsOf(before, seat)]);
  dressers.forEach((dress) => dress([...middle, ...seats]));
  settle(byId("status"), statusOf(table));
  settle(byId("middle"), middle);
  byId("seats").className = `of-${seats.length}`;
  settle(byId("seats"), seats);
  showMoved();
}

// Marks the innermost places that look otherwise than they did before this version.
function markMoved(elements, before) {
  const placesIn = (tops) => tops.flatMap((top) => [...(top.dataset.place ? [top] : []), ...top.querySelectorAll("[data-place]")]);
  const looked = new Map(placesIn(before).map((each) => [each.dataset.place, each.textContent]));
  const changed = placesIn(elements).filter((each) =>
    !each.dataset.place.startsWith("seat:") && looked.get(each.dataset.place) !== each.textContent);
  for (const each of changed) {
    if (!changed.some((other) => other !== each && each.contains(other))) each.classList.add("moved");
  }
}

// Scrolls the table, where it is longer than its room, to what moved last; a reader's page as a whole stays where it is,
// and so does the hand of whoever plays.
function showMoved() {
  const room = byId("left");
  if (document.body.matches(".is-playing.is-now")) return;
  const moved = document.querySelectorAll("#seats .moved");
  const seat = moved.length ? moved[moved.length - 1].closest(".seat") : null;
  if (!seat || room.scrollHeight <= room.clientHeight) return;
  const above = seat.getBoundingClientRect().top - room.getBoundingClientRect().top;
  const below = above + seat.offsetHeight - room.clientHeight;
  if (above < 0) room.scrollTop += above;
  else if (below > 0) room.scrollTop += Math.min(below, above);
}
