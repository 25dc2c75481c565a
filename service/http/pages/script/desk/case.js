// A case beside the table at the disputed version, or a game without one. What is open follows what others do.

import { redraw } from "../common/redrawing.js";
import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { place } from "../table/place.js";
import { last } from "../table/record.js";
import { drawActs } from "./acts.js";
import { followOpen, stopFollowing } from "./following.js";
import { keepWriting } from "./leaving.js";
import { packsOf } from "./packs.js";
import { casePanel, fillPanel, sayNews } from "./panel.js";
import { leaveTable, showTable } from "./table.js";
import { facts, fromTable, isOver, newSteps, rulings, said, steps } from "./told.js";

export let opened; // the case or the game that is drawn
export const isSame = (one, other) => one?.game === other?.game && one?.number === other?.number;

// Opens a case while it is wanted, at the version that is wanted or the disputed one. `changed` is called when
// something was done about it, `read` asks until the service answers, `anew` says that it was open before; `told` hears
// what keeps the case from being followed.
export const openCase = (api, wanted, given) => reading(wanted, () => readCase(api, wanted, given));

// Opens the table of a game without a case, while it is wanted.
export const openGame = (api, wanted, given) => reading(wanted, () => readGame(api, wanted, given));

// Reads what is wanted. If it is open it follows nothing meanwhile: no later answer is drawn that an earlier one covers.
async function reading(wanted, read) {
  const goOn = isSame(opened, wanted) ? stopFollowing() : undefined;
  try {
    await read();
  } catch (problem) {
    goOn?.();
    throw problem;
  }
}

async function readCase(api, wanted, { changed, read, isWanted, told, anew = false }) {
  const { game, number } = wanted;
  const path = `/v1/games/${game}/disputes/${number}`;
  let found = await api.get(path);
  if (!isWanted()) return;
  const version = wanted.version ?? found.version;
  if (!(await showTable(api, game, { name: ["case", `${game}/${number}`], version, anew, isWanted }))) return;
  // Whoever has claimed a case rules next; and whoever has gone to another one meanwhile stays there. What was done
  // is done, also where it can't be read at once. The queue follows by itself, however busy the service is.
  const readAnew = () => openCase(api, wanted, { changed, read, isWanted, told, anew: true });
  const again = async (goesOnAt = "case") => {
    changed();
    await read(readAnew, isWanted);
    if (isWanted()) byId(goesOnAt)?.focus();
  };
  const happened = element("ol", { class: "history" });
  const [seen, packs, ruled, acts] = [element("div"), element("div"), element("div"), element("div", { id: "acts" })];
  const parts = { seen, packs, ruled, acts, happened };
  const draw = () => drawCase(parts, { api, path, found, again, version: () => place.version });
  const begin = () => {
    draw();
    const history = element("details", {}, element("summary", { text: say("history") }), happened);
    fillPanel(seen, packs, ruled, acts, history);
  };
  if (isSame(opened, wanted)) keepWriting(begin);
  else begin();
  opened = wanted;

  const look = async (isFollowed) => {
    if (isOver(found)) return undefined;
    const newer = await api.get(path);
    if (newer.events.length === found.events.length || !isFollowed()) return undefined;
    const hasMovedOn = newer.status !== found.status;
    const known = found.events.length;
    found = newer;
    return () => {
      draw();
      sayNews(...newSteps(found, known));
      if (hasMovedOn) changed();
    };
  };
  followOpen({ api, game, isWanted, told, look, drawAgain: draw, mayChange: () => !isOver(found) });
}

async function readGame(api, wanted, { isWanted, told }) {
  const { game, version = Infinity } = wanted;
  if (!(await showTable(api, game, { name: ["game", game], version, anew: true, isWanted }))) return;
  opened = wanted;
  const extent = element("p", { class: "quiet" });
  const draw = () => { extent.textContent = say("game_without_case", { version: last }); };
  draw();
  fillPanel(element("h2", { id: "case-title", text: say("game_of", { game }) }), extent);
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
  const shown = [found, fromTable(found)];
  redraw(parts.seen, shown, () => [
    element("h2", { id: "case-title" }, say("case_of", { case: `${found.game}/${found.dispute}` }), " ",
      element("span", { class: "badge", text: say(`status_${found.status}`) })),
    element("p", {}, element("a", { href: `/games/${found.game}`, text: say("to_game") })),
    facts(found), ...said(found)]);
  redraw(parts.packs, [found.pack], () => packsOf(given)); // why one was refused stays, whatever is said meanwhile
  redraw(parts.ruled, shown, () => rulings(found));
  redraw(parts.happened, found.events.length, () => steps(found));
  drawActs(parts.acts, given);
}
