// A game in a frame of a page of ours, beside another one: the table and its controls, and where one stands told outside.

import { namedInAddress } from "../common/named.js";
import { followers, fragment, go, place } from "../table/place.js";

let answering = false;

export function beginEmbedded() {
  document.body.classList.add("is-embedded");
  followers.push(() => answering || tell(false));
  window.addEventListener("message", ({ data, origin, source }) => {
    if (origin === location.origin && source === window.parent && Number.isInteger(data?.steps)) step(data.steps);
  });
  tell(false);
}

// Told once, as an answer, also where one is at the end already: nobody takes it for a step of the reader's own.
function step(steps) {
  answering = true;
  try {
    go({ version: place.version + steps });
  } finally {
    answering = false;
  }
  tell(true);
}

function tell(isAnswer) {
  const title = document.getElementById("summary").textContent;
  const at = { game: namedInAddress(), fragment: fragment(), version: place.version };
  window.parent.postMessage({ ...at, title, isAnswer }, location.origin);
}
