// Marking on the table: one taps a place, or two for an arrow; with the keyboard one goes from place to place.

import { byId } from "../table/elements.js";
import { followers } from "../table/place.js";
import { isPlace } from "./vocabulary.js";

let take = null; // what gets the place that is tapped
let begun = false;

// Lets the reader tap places until `endMarking`; `taken` gets each.
export function beginMarking(taken) {
  take = taken;
  if (!begun) {
    begun = true;
    byId("table").addEventListener("click", tap, { capture: true });
    byId("table").addEventListener("keydown", press);
    followers.push(offerPlaces);
  }
  offerPlaces();
}

export function endMarking() {
  take = null;
  document.body.classList.remove("is-marking");
  for (const place of byId("table").querySelectorAll(".markable")) {
    place.classList.remove("markable");
    place.removeAttribute("tabindex");
  }
}

function offerPlaces() {
  if (!take) return;
  document.body.classList.add("is-marking");
  for (const place of places()) {
    place.classList.add("markable");
    place.tabIndex = 0;
  }
}

const places = () => [...byId("table").querySelectorAll("[data-place]")].filter((each) => isPlace(each.dataset.place));

function placeUnder(target) {
  let place = target.closest("[data-place]");
  while (place && !isPlace(place.dataset.place)) place = place.parentElement.closest("[data-place]");
  return place;
}

function tap(event) {
  const place = take && placeUnder(event.target);
  if (!place) return;
  event.preventDefault();
  event.stopPropagation();
  take(place.dataset.place);
}

function press(event) {
  if (!take || (event.key !== "Enter" && event.key !== " ") || !isPlace(event.target.dataset.place ?? "")) return;
  event.preventDefault();
  event.stopPropagation();
  take(event.target.dataset.place);
}

// What a place is called: what stands on it, with whose it is.
export function nameOfPlace(name) {
  const place = places().find((each) => each.dataset.place === name);
  if (!place) return name;
  const own = place.matches(".seat") ? "" : place.matches(".chip") ? place.title : (place.querySelector(":scope > .label") ?? place).textContent.trim();
  const who = place.closest(".seat")?.querySelector(".who")?.textContent ?? "";
  return [who, own].filter(Boolean).join(", ");
}
