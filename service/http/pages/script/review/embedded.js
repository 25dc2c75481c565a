// A game in a frame of a page of ours, beside another one: the table and its controls, and where one stands told outside.

import { followers, fragment, go, place } from "../table/place.js";

export const isEmbedded = () => window.parent !== window;

export function beginEmbedded() {
  document.body.classList.add("is-embedded");
  followers.push(tell);
  window.addEventListener("message", ({ data, origin, source }) => {
    if (origin === location.origin && source === window.parent && Number.isInteger(data?.steps)) step(data.steps);
  });
  tell();
}

// Also told where one is at the end already: whoever asked waits for it.
function step(steps) {
  go({ version: place.version + steps });
  tell();
}

function tell() {
  window.parent.postMessage({ fragment: fragment(), version: place.version, title: document.getElementById("summary").textContent }, location.origin);
}
