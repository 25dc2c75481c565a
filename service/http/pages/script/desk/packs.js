// The evidence pack of a case, saved as a file.

import { refusalOf } from "../common/refusals.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";

// Forms of a pack, the one to read first: what they are, and how their files end.
const FORMS = {
  html: ["text/html", "html"],
  markdown: ["text/markdown", "md"],
  json: ["application/json", "json"],
};
const SAVED = 60_000; // milliseconds after which a browser has saved a file for certain

export function packsOf({ api, path, found }) {
  if (!found.pack) return [element("p", { class: "quiet", text: say("no_pack") })];
  const said = element("p", { class: "refused", role: "alert" });
  const links = Object.keys(FORMS).map((form) => {
    const link = element("button", { type: "button", "data-pack": form, text: say(`pack_${form}`) });
    link.addEventListener("click", async () => {
      said.replaceChildren();
      await save({ api, path, found, form }).catch((problem) => said.replaceChildren(...refusalOf(problem)));
    });
    return link;
  });
  const label = element("span", { class: "label", text: say("pack") });
  return [element("p", { class: "listed", id: "packs" }, label, ...links), said];
}

// It shows hidden cards, so it is asked for with the key, and not by a link.
async function save({ api, path, found, form }) {
  const [type, ending] = FORMS[form];
  const chunks = [];
  for await (const chunk of await api.open(`${path}/evidence-pack`, type)) chunks.push(chunk);
  const address = URL.createObjectURL(new Blob(chunks, { type }));
  element("a", { href: address, download: `${found.game}-${found.dispute}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED);
}
