// Arrows over the table, from one place to another: those of what is said of a moment, and those that a page adds.

import { byId } from "./elements.js";
import { elementsAt } from "./places.js";

const ARROW_HEAD = 13; // pixels
const arrowsShown = new Map(); // lists of a start, an end and a colour, by whose they are
let arrowLayer;

export function showArrows(whose, arrows) {
  arrowsShown.set(whose, arrows);
  if (arrowLayer || arrows.length) drawArrows();
}

function drawArrows() {
  const table = byId("table");
  if (!arrowLayer) {
    arrowLayer = arrowPart("svg", { id: "arrows", "aria-hidden": "true" });
    table.append(arrowLayer);
    new ResizeObserver(drawArrows).observe(table);
  }
  const frame = table.getBoundingClientRect();
  arrowLayer.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  arrowLayer.replaceChildren(...[...arrowsShown.values()].flat().map((each) => arrowIn(frame, each)).filter(Boolean));
}

// A line between the middles of two places; none where they are the same one, or where one is not there.
function arrowIn(frame, [start, end, colour]) {
  const [from, to] = [start, end].map((place) => elementsAt(place)[0]);
  if (!from || !to || from === to) return null;
  const [x1, y1] = middleIn(frame, from);
  const [x2, y2] = middleIn(frame, to);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [along, across] = [(x2 - x1) / length, (y2 - y1) / length].map((part) => part * ARROW_HEAD);
  const back = [x2 - along, y2 - across];
  const sides = [[back[0] - across / 2, back[1] + along / 2], [back[0] + across / 2, back[1] - along / 2]];
  const path = `M${x1} ${y1}L${back.join(" ")}M${sides[0].join(" ")}L${x2} ${y2}L${sides[1].join(" ")}Z`;
  return arrowPart("path", { class: `arrow marked-${colour}`, d: path });
}

function middleIn(frame, place) {
  const box = place.getBoundingClientRect();
  return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
}

// A page that is one file names no address, not even that of a namespace: its icons have it.
function arrowPart(name, properties) {
  const made = document.createElementNS(document.querySelector("svg").namespaceURI, name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  return made;
}
