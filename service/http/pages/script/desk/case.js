// A case: what it is about, what was said, what has happened in it, beside the table at the disputed version.

import { say, words } from "../common/words.js";
import { moment } from "../common/written.js";
import { byId, element } from "../table/elements.js";
import { place } from "../table/place.js";
import { last } from "../table/record.js";
import { actsFor } from "./acts.js";
import { keepWriting } from "./leaving.js";
import { packsOf } from "./packs.js";
import { casePanel, versionLink } from "./panel.js";
import { leaveTable, showTable } from "./table.js";

export let opened; // the case or the game that is drawn
export const isSame = (one, other) => one?.game === other?.game && one?.number === other?.number;

// Opens a case while it is wanted, at the version that is wanted or the disputed one. `changed` is called when
// something was done about it, `read` asks until the service answers, `anew` says that it was open before.
export async function openCase(api, wanted, { changed, read, isWanted, anew = false }) {
  const { game, number } = wanted;
  const path = `/v1/games/${game}/disputes/${number}`;
  const found = await api.get(path);
  if (!isWanted()) return;
  const version = wanted.version ?? found.version;
  if (!(await showTable(api, game, { name: ["case", `${game}/${number}`], version, anew, isWanted }))) return;
  // Whoever has claimed a case rules next; and whoever has gone to another one meanwhile stays there. What was done
  // is done, also where it can't be read at once.
  const readAnew = () => openCase(api, wanted, { changed, read, isWanted, anew: true });
  const again = async (goesOnAt = "case") => {
    await Promise.all([read(readAnew, isWanted), changed()]);
    if (isWanted()) byId(goesOnAt)?.focus();
  };
  const acts = actsFor({ api, path, found, again, version: () => place.version });
  const packs = packsOf({ api, path, found });
  if (isSame(opened, wanted)) keepWriting(() => drawCase(found, acts, packs));
  else drawCase(found, acts, packs);
  opened = wanted;
}

// Opens the table of a game without a case, while it is wanted.
export async function openGame(api, wanted, { isWanted }) {
  const { game, version = Infinity } = wanted;
  if (!(await showTable(api, game, { name: ["game", game], version, anew: true, isWanted }))) return;
  opened = wanted;
  casePanel.replaceChildren(
    element("h2", { id: "case-title", text: say("game_of", { game }) }),
    element("p", { class: "quiet", text: say("game_without_case", { version: last }) }));
}

// Shows neither a case nor a game.
export function closeCase() {
  opened = undefined;
  casePanel.replaceChildren();
  leaveTable();
}

function drawCase(found, acts, packs) {
  const title = element("h2", { id: "case-title" }, say("case_of", { case: `${found.game}/${found.dispute}` }), " ",
    element("span", { class: "badge", text: say(`status_${found.status}`) }));
  const back = element("p", {}, element("a", { href: `/games/${found.game}`, text: say("to_game") }));
  const told = [...facts(found), ...said(found), ...packs, ...rulings(found)];
  casePanel.replaceChildren(title, back, ...told, acts, history(found));
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
  return [element("h3", { text: say("said") }), ...pieces];
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
