// The panel for what leaves the page: a link to what one sees, a comparison, the record and what belongs to it.

import { language, say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { followers, fragment, perspectives, place } from "../table/place.js";
import { data, nameOf } from "../table/record.js";
import { writerOf } from "./access.js";
import { alertLine, attempt } from "./asking.js";
import { button, labelled } from "./fields.js";
import { addPanel, panelForLink } from "./panels.js";
import { actionsOfPublished } from "./writing.js";

const HERE = "share";
const section = element("section", { "aria-label": say("panel_share"), class: "panel" });
const sign = element("span", { id: "copied", role: "status" });
const signHere = copiedSign();
let tools;
let link;
let everything; // the switch by which the link opens the table with all cards
let seen; // says how the link opens it
let copiedAt = ""; // where one stood when a link was copied

export function beginSharing(given) {
  tools = given;
  const copy = button("share_copy", () => copyLink(address(), sign), { id: "copy-link" });
  byId("help-open").before(copy, sign);
  // What is drawn anew while one stands where one stood changes nothing of what was copied.
  followers.push(() => { if (fragment() !== copiedAt) for (const each of [sign, signHere]) each.textContent = ""; });
  addPanel(HERE, section, drawSharing);
  actionsOfPublished.push(linkToNote);
}

// A link leads to what one looked at before one came here to share it.
function address() {
  const panel = panelForLink(HERE);
  const there = fragment().replace(`&panel=${HERE}`, panel ? `&panel=${panel}` : "");
  return withPlace(there);
}

// What says that a link was copied, beside where one asked for it.
function copiedSign() {
  return element("span", { class: "copied", role: "status" });
}

const withPlace = (there) => `${location.origin}${location.pathname}${location.search}${there}`;

// A button beneath a note, for a link to its moment: on a phone everything else that shares is out of sight there.
function linkToNote({ version }) {
  const copied = copiedSign();
  const there = () => withPlace(`#v=${version}&as=${place.perspective}&panel=notes`);
  return element("span", { class: "row" }, button("share_copy", () => copyLink(there(), copied)), copied);
}

// Copies a link, and says so. Some browsers let a page copy nothing: then it stands there, ready to be copied.
async function copyLink(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    copiedAt = fragment();
    said.textContent = say("share_copied");
  } catch {
    byId("panels").querySelector("[data-panel=share]").click();
    writeLink(text);
    link.select();
    signHere.textContent = say("share_by_hand");
  }
}

// Has the panel hold another link than its own: that is to what one sees, and not with everything open.
function writeLink(text) {
  if (link.value === text) return;
  everything.checked = false;
  drawSharing();
  link.value = text;
}

function drawSharing() {
  if (!section.childElementCount) build();
  const isAll = place.perspective === "all";
  everything.closest("label").hidden = isAll || !perspectives.includes("all");
  const opens = everything.checked && !everything.closest("label").hidden;
  link.value = opens ? address().replace(`as=${place.perspective}`, "as=all") : address();
  seen.textContent = isAll || opens ? say("share_seen_all") : seenBy(data.perspectives.find(({ key }) => key === place.perspective));
}

const seenBy = ({ key, seat }) => (seat >= 0 ? say("share_seen_seat", { name: nameOf(seat) ?? key }) : say("share_seen_public"));

function build() {
  link = element("input", { type: "text", readonly: true });
  seen = element("p", { id: "link-seen", dir: "auto" });
  everything = element("input", { type: "checkbox", "aria-describedby": "link-seen" });
  everything.addEventListener("change", drawSharing);
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
    labelled("share_address", link), seen,
    element("label", { class: "boxes" }, everything, element("span", { text: say("share_open") })),
    element("div", { class: "row" }, button("share_copy", () => copyLink(link.value, signHere)), signHere),
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
