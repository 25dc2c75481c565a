// Where a case stands beside its table. A press on a version in it leads there.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { go } from "../table/place.js";

export const casePanel = element("section", { id: "case", class: "panel", tabindex: -1, "aria-labelledby": "case-title" });
const ended = element("p", { class: "refused", role: "alert" });
const news = element("p", { class: "unseen", role: "status" });

casePanel.addEventListener("click", (event) => {
  const link = event.target.closest("[data-version-of-case]");
  if (link) go({ version: Number(link.dataset.versionOfCase) });
});

// Shows a case or a game, of which there are no news yet.
export function fillPanel(...parts) {
  ended.replaceChildren();
  news.replaceChildren();
  casePanel.replaceChildren(ended, news, ...parts);
}

// Tells whoever can't see it what others have done, where they have.
export function sayNews(...told) {
  if (told.length) news.replaceChildren(...told);
}

// Tells that what is open is followed no more.
export function sayItEnds() {
  ended.textContent = say("follows_no_more");
}

export function versionLink(version) {
  return element("button", { type: "button", class: "version", "data-version-of-case": version, text: say("version_named", { version }) });
}
