// A player: how they stand on each board, and the games that have made it so.

import { lookAgain, lookFurther } from "../common/following.js";
import { redraw } from "../common/redrawing.js";
import { serviceAs } from "../common/service.js";
import { say } from "../common/words.js";
import { moment } from "../common/written.js";
import { link, pageOf } from "../lobby/rows.js";
import { titleOf, whenKnown } from "../lobby/systems.js";
import { byId, element } from "../table/elements.js";
import { addressOf, chosen, namesBoard } from "./addresses.js";
import { inPoints, nameOf, spread } from "./standing.js";

const AT_ONCE = 30;
const PAUSE = 30_000; // milliseconds: boards are counted once a minute
const NO_ID = 404; // of what can be nobody's id
const api = serviceAs();
let found;
let board; // the one whose games are shown
let newest = [];
let further = [];
let next = null;

export function beginPlayer(player) {
  whenKnown(() => found && draw());
  lookAgain(() => look(player), tell, new AbortController().signal);
  const button = byId("further-games");
  button.addEventListener("click", () => lookFurther(button, () => showFurther(player), tell));
}

function tell(isAway) {
  byId("away").textContent = isAway ? say("page_waits") : "";
}

async function look(player) {
  found = await api.get("/v1/ratings/{player}/boards", { player }).catch((error) => {
    if (error.status !== NO_ID) throw error;
    return { player, name: null, boards: [] };
  });
  const isIt = (each) => each.system === chosen().system && each.pool === chosen().pool;
  const latest = [...found.boards].sort((one, other) => other.last - one.last)[0];
  board = namesBoard() ? found.boards.find(isIt) ?? latest : latest;
  if (board) {
    const page = await api.get("/v1/ratings/{player}", { player, system: board.system, pool: board.pool, limit: AT_ONCE });
    newest = page.changes;
    if (!further.length) next = page.next;
  }
  draw();
  return PAUSE;
}

async function showFurther(player) {
  const asked = { player, system: board.system, pool: board.pool, limit: AT_ONCE, cursor: next };
  const page = await api.get("/v1/ratings/{player}", asked);
  further.push(...page.changes);
  next = page.next;
  draw();
}

function draw() {
  const { player, name, boards } = found;
  const isBot = player.startsWith("*");
  document.title = `${isBot ? player.slice(1) : name ?? player} · Fieldbook`;
  redraw(byId("player-name"), [player, name], () => [nameOf(player, name)]);
  redraw(byId("player-id"), [player, name], () => (isBot ? [say("bot_of_service")] : [`${say("id")}: `, element("bdi", { text: player })]));
  byId("no-name").hidden = isBot || name !== null || !boards.length;
  byId("not-rated").hidden = boards.length > 0;
  byId("rated").hidden = boards.length === 0;
  if (board) byId("to-board").href = addressOf("", board);
  redraw(byId("boards"), [boards, board, boards.map(({ system }) => titleOf(system))], () => boards.map(boardOf));
  if (board) {
    byId("history-title").textContent = say("history", { game: titleOf(board.system), pool: say(`pool_${board.pool}`) });
    const games = [...new Map([...newest, ...further].map((each) => [each.game, each])).values()];
    redraw(byId("history"), games, () => [historyOf(games)]);
  }
  byId("further-games").hidden = next === null;
  byId("player").hidden = false;
}

function boardOf(one) {
  const { system, pool, rating, mu, sigma, games, wins } = one;
  const isShown = system === board.system && pool === board.pool;
  const figures = [`${say("strength")} ${spread(mu, sigma)}`, `${say("games")} ${games}`, `${say("wins")} ${wins}`];
  return element("li", {}, element("a", { href: addressOf(found.player, one), "aria-current": isShown ? "true" : null },
    element("b", { text: titleOf(system) }), " ",
    element("span", { class: "quiet", text: say(`pool_${pool}`) }), " ",
    element("span", { class: "rating-of", text: inPoints(rating) }), " ",
    element("span", { class: "figures quiet", text: figures.join(" · ") })));
}

const ratingIn = ([mu, sigma]) => mu - 3 * sigma;

function historyOf(games) {
  return element("table", {},
    element("thead", {}, element("tr", {},
      element("th", { scope: "col", text: say("ended") }),
      element("th", { scope: "col", class: "number", text: say("change") }),
      element("th", { scope: "col", class: "number", text: say("rating_after") }),
      element("th", { scope: "col", text: say("rules") }))),
    element("tbody", {}, ...games.map(({ game, ended, before, after }) => {
      const changed = ratingIn(after) - ratingIn(before);
      const way = link(say("look_back"), pageOf(game));
      way.append(element("span", { class: "unseen", text: ` ${game}` }));
      return element("tr", {},
        element("td", { text: moment(ended) }),
        element("td", { class: `number ${changed < 0 ? "fell" : changed > 0 ? "rose" : ""}`, text: inPoints(changed, "exceptZero") }),
        element("td", { class: "number", text: inPoints(ratingIn(after)) }),
        element("td", {}, way));
    })));
}
