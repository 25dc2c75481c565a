// The panel for what leaves the page: a link to what one sees, a comparison, the record and what belongs to it.

import { language, say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { followers, fragment } from "../table/place.js";
import { writerOf } from "./access.js";
import { alertLine, attempt } from "./asking.js";
import { button, labelled } from "./fields.js";
import { addPanel, panelForLink } from "./panels.js";

const HERE = "share";
const section = element("section", { "aria-label": say("panel_share"), class: "panel" });
const sign = element("span", { id: "copied", role: "status" });
let tools;
let link;

export function beginSharing(given) {
  tools = given;
  const copy = button("share_copy", copyLink, { id: "copy-link" });
  byId("help-open").before(copy, sign);
  followers.push(() => { sign.textContent = ""; });
  addPanel(HERE, section, drawSharing);
}

// A link leads to what one looked at before one came here to share it.
function address() {
  const panel = panelForLink(HERE);
  const there = fragment().replace(`&panel=${HERE}`, panel ? `&panel=${panel}` : "");
  return `${location.origin}${location.pathname}${location.search}${there}`;
}

// Some browsers let a page copy nothing: then the link stands there, ready to be copied.
async function copyLink() {
  try {
    await navigator.clipboard.writeText(address());
    sign.textContent = say("share_copied");
  } catch {
    byId("panels").querySelector("[data-panel=share]").click();
    link.select();
    sign.textContent = say("share_by_hand");
  }
}

function drawSharing() {
  if (!section.childElementCount) build();
  link.value = address();
}

function build() {
  link = element("input", { type: "text", readonly: true });
  const other = element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 300 });
  const line = alertLine();
  const form = element("form", {}, labelled("compare_other", other), element("button", { text: say("compare_open") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const here = `${tools.game}${fragment()}`;
    location.href = `/compare${location.search}#${new URLSearchParams({ a: here, b: gameIn(other.value) || here })}`;
  });
  section.replaceChildren(
    element("h2", { text: say("share_link") }), element("p", { class: "quiet hint", text: say("share_link_what") }),
    labelled("share_address", link), button("share_copy", copyLink),
    element("h2", { text: say("compare_title") }), element("p", { class: "quiet hint", text: say("compare_what") }), form,
    element("h2", { text: say("share_downloads") }), ...downloads(line), line);
  addEvidence(line);
}

// The id of a game, with the place in it, out of a link or by itself.
export const gameIn = (text) => /(?:\/games\/)?([0-9a-z-]+(?:#.*)?)\s*$/.exec(text.trim())?.[1] ?? "";

function downloads(line) {
  const { game } = tools;
  return [
    download("share_record", `/v1/games/${game}/record?annotations=true&as=all`, "application/x-ndjson", `${game}.ndjson`, line),
    download("share_page", `/games/${game}/page.html?lang=${language}`, "text/html", `${game}.html`, line),
    download("share_notes", `/v1/games/${game}/annotations`, "application/x-ndjson", `${game}.annotations.ndjson`, line),
  ].map((each) => element("p", {}, each));
}

// A file goes by way of the page, since a link could not show the token of a seat.
function download(key, path, form, name, line, values = {}) {
  return button(key, () => attempt(line, async () => {
    const chunks = [];
    for await (const chunk of await writerOf(tools.api).open(path, form)) chunks.push(chunk);
    const file = URL.createObjectURL(new Blob(chunks, { type: form }));
    element("a", { href: file, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60_000);
  }), { text: say(key, values) });
}

// Cases there may be, for whoever may see them.
async function addEvidence(line) {
  const found = await attempt(alertLine(), () => writerOf(tools.api).get(`/v1/games/${tools.game}/disputes`));
  for (const each of found?.disputes ?? []) {
    const number = each.dispute;
    const path = `/v1/games/${tools.game}/disputes/${number}/evidence-pack`;
    line.before(element("p", {}, download("share_evidence", path, "application/json", `${tools.game}.${number}.json`, line, { number })));
  }
}
