// A case: what it is about, what was said, what has happened in it, beside the table at the disputed version.

import { language, say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { further, go, perspectives, place } from "../table/place.js";
import { beginViewer, showRecord } from "../table/viewer.js";
import { actsFor } from "./acts.js";
import { moment } from "./queue.js";

const ANSWERS = ["json", "markdown", "html"]; // forms of an evidence pack
let shown = ""; // the game whose table is there
let began = false;

// Opens a case; `changed` is called when something was done about it.
export async function openCase(api, { game, number }, changed) {
  const path = `/v1/games/${game}/disputes/${number}`;
  const found = await api.get(path);
  await showTable(api, game, found.version, `${game}/${number}`);
  const again = async () => {
    await Promise.all([openCase(api, { game, number }, changed), changed()]);
    byId("case").focus();
  };
  drawCase(found, await actsFor({ api, path, found, again, version: () => place.version }));
}

async function showTable(api, game, version, name) {
  const isOther = shown !== game;
  if (isOther) {
    const history = await everything(api, game);
    document.body.classList.remove("is-empty");
    if (began) showRecord(history);
    else beginViewer(history);
    [began, shown] = [true, game];
  }
  further.set("case", name);
  if (isOther) go({ version: versionNamed() ?? version, perspective: perspectives[0], anew: true });
}

// Where a link to a case leads; without a version of its own it is the disputed one.
const versionNamed = () => Number(new URLSearchParams(location.hash.slice(1)).get("v")) || undefined;

// An arbiter sees every card; a party what its seat sees.
async function everything(api, game) {
  const path = `/v1/games/${game}/history`;
  const whole = () => api.get(path, { text: language, as: "all" });
  return whole().catch((problem) => (problem.status === 403 ? api.get(path, { text: language }) : Promise.reject(problem)));
}

function drawCase(found, acts) {
  const panel = byId("case") ?? newPanel();
  const title = element("h2", { id: "case-title" }, say("case_of", { case: `${found.game}/${found.dispute}` }), " ",
    element("span", { class: "badge", text: say(`status_${found.status}`) }));
  panel.replaceChildren(title, ...facts(found), ...said(found), ...rulings(found), ...acts, history(found));
}

function newPanel() {
  const panel = element("section", { id: "case", tabindex: -1, "aria-labelledby": "case-title" });
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("[data-version-of-case]");
    if (link) go({ version: Number(link.dataset.versionOfCase) });
  });
  byId("beside").prepend(panel);
  return panel;
}

function facts(found) {
  const rows = [
    [say("reason"), words[`dispute.${found.reason}`] ?? found.reason],
    [say("opened_by"), element("bdi", { text: found.opener.name })],
    [say("opened"), moment(found.opened)],
    [say("about"), versionLink(found.version)],
    found.until && [say("until"), moment(found.until)],
    found.pause_until && !found.resumed && [say("held_up_until"), moment(found.pause_until)],
    found.arbiter && [say("arbiter"), element("bdi", { text: found.arbiter.name })],
  ].filter(Boolean);
  return [element("dl", {}, ...rows.flatMap(([label, value]) => [element("dt", { text: label }), element("dd", {}, value)]))];
}

// What the parties have said, in the order in which they said it.
function said(found) {
  const pieces = found.events.filter(({ data }) => data.text).map(({ by, at, data }) => element("article", { class: "note" },
    element("header", {}, element("bdi", { class: "author", text: by.name }), element("span", { class: "quiet", text: moment(at) })),
    element("p", { class: "comment", dir: "auto", text: data.text }),
    data.versions?.length ? element("p", { class: "listed" }, ...data.versions.map(versionLink)) : null));
  return [element("h3", { text: say("said") }), ...pieces, packs(found)];
}

function packs(found) {
  if (!found.pack) return element("p", { class: "quiet", text: say("no_pack") });
  const links = ANSWERS.map((form) => element("button", { type: "button", "data-pack": form, text: say(`pack_${form}`) }));
  return element("p", { class: "listed", id: "packs" }, element("span", { class: "label", text: say("pack") }), ...links);
}

function rulings(found) {
  if (!found.rulings.length) return [];
  return [element("h3", { text: say("rulings") }), ...found.rulings.map((ruling) => element("article", { class: "note" },
    element("p", {}, element("b", { text: words[`ruling.${ruling.kind}`] ?? ruling.kind })),
    element("p", { dir: "auto", text: `${say("scope")}: ${ruling.scope}` }),
    element("p", { class: "comment", dir: "auto", text: ruling.reason })))];
}

function history(found) {
  const rows = found.events.map(({ at, by, type, hash }) => element("li", { title: hash },
    element("span", { text: words[`happened_${type}`] ?? type }), " ", element("bdi", { text: by.name }), " ",
    element("span", { class: "quiet", text: moment(at) })));
  return element("details", {}, element("summary", { text: say("history") }), element("ol", { class: "history" }, ...rows));
}

function versionLink(version) {
  return element("button", { type: "button", class: "version", "data-version-of-case": version, text: say("version_named", { version }) });
}
