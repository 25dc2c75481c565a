// Where a case stands beside its table. A press on a version in it leads there.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { go } from "../table/place.js";

export const casePanel = element("section", { id: "case", class: "panel", tabindex: -1, "aria-labelledby": "case-title" });

casePanel.addEventListener("click", (event) => {
  const link = event.target.closest("[data-version-of-case]");
  if (link) go({ version: Number(link.dataset.versionOfCase) });
});

export function versionLink(version) {
  return element("button", { type: "button", class: "version", "data-version-of-case": version, text: say("version_named", { version }) });
}
