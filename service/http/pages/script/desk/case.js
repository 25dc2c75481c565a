// A case beside the table at the disputed version, or a game without one. What is open follows what others do.

import { redraw } from "../common/redrawing.js";
import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { place } from "../table/place.js";
import { data, last } from "../table/record.js";
import { drawActs } from "./acts.js";
import { followOpen, stopFollowing } from "./following.js";
import { keepWriting } from "./leaving.js";
import { packsOf } from "./packs.js";
import { casePanel } from "./panel.js";
import { leaveTable, showTable } from "./table.js";
import { facts, isOver, rulings, said, steps } from "./told.js";

export let opened; // the case or the game that is drawn
export const isSame = (one, other) => one?.game === other?.game && one?.number === other?.number;

// Opens a case while it is wanted, at the version that is wanted or the disputed one. `changed` is called when
// something was done about it, `read` asks until the service answers, `anew` says that it was open before; `told` hears
// what keeps the case from being followed.
export async function openCase(api, wanted, { changed, read, isWanted, told, anew = false }) {
  const { game, number } = wanted;
  const path = `/v1/games/${game}/disputes/${number}`;
  let found = await api.get(path);
  if (!isWanted()) return;
  const version = wanted.version ?? found.version;
  if (!(await showTable(api, game, { name: ["case", `${game}/${number}`], version, anew, isWanted }))) return;
  // Whoever has claimed a case rules next; and whoever has gone to another one meanwhile stays there. What was done
  // is done, also where it can't be read at once.
  const readAnew = () => openCase(api, wanted, { changed, read, isWanted, told, anew: true });
  const again = async (goesOnAt = "case") => {
    await Promise.all([read(readAnew, isWanted), changed()]);
    if (isWanted()) byId(goesOnAt)?.focus();
  };
  const happened = element("ol", { class: "history" });
  const parts = { told: element("div"), acts: element("div", { id: "acts" }), happened };
  const draw = () => drawCase(parts, { api, path, found, again, version: () => place.version });
  const begin = () => {
    draw();
    const history = element("details", {}, element("summary", { text: say("history") }), happened);
    casePanel.replaceChildren(parts.told, parts.acts, history);
  };
  if (isSame(opened, wanted)) keepWriting(begin);
  else begin();
  opened = wanted;

  const look = async () => {
    if (isOver(found)) return;
    const newer = await api.get(path);
    if (newer.events.length === found.events.length || !isWanted()) return;
    const hasMovedOn = newer.status !== found.status;
    found = newer;
    draw();
    if (hasMovedOn) await changed();
  };
  followOpen({ api, game, isWanted, told, look, drawAgain: draw, mayChange: () => !isOver(found) });
}

// Opens the table of a game without a case, while it is wanted.
export async function openGame(api, wanted, { isWanted, told }) {
  const { game, version = Infinity } = wanted;
  if (!(await showTable(api, game, { name: ["game", game], version, anew: true, isWanted }))) return;
  opened = wanted;
  const extent = element("p", { class: "quiet" });
  const draw = () => { extent.textContent = say("game_without_case", { version: last }); };
  draw();
  casePanel.replaceChildren(element("h2", { id: "case-title", text: say("game_of", { game }) }), extent);
  followOpen({ api, game, isWanted, told, drawAgain: draw, goesAlong: true });
}

// Shows neither a case nor a game.
export function closeCase() {
  stopFollowing();
  opened = undefined;
  casePanel.replaceChildren();
  leaveTable();
}

// Draws a case into its parts; nothing that is as it was, and no form in which somebody writes.
function drawCase(parts, given) {
  const { found } = given;
  redraw(parts.told, [found, data.status], () => [
    element("h2", { id: "case-title" }, say("case_of", { case: `${found.game}/${found.dispute}` }), " ",
      element("span", { class: "badge", text: say(`status_${found.status}`) })),
    element("p", {}, element("a", { href: `/games/${found.game}`, text: say("to_game") })),
    facts(found), ...said(found), ...packsOf(given), ...rulings(found)]);
  redraw(parts.happened, found.events.length, () => steps(found));
  drawActs(parts.acts, given);
}
