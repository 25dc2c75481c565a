// A game in a list: who plays what, since when, and what one can do there.

import { language, say } from "../common/words.js";
import { element } from "../table/elements.js";
import { titleOf } from "./systems.js";

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];
const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });

// A row whose control stays the same while the rest of it changes: who has it in focus keeps it.
export class Row {
  constructor(game, act) {
    this.game = game.game;
    this.players = element("p", { class: "players", id: `players-${game.game}` });
    this.about = element("p", { class: "about quiet" });
    this.control = act(game);
    this.control.setAttribute("aria-describedby", this.players.id);
    this.element = element("li", {}, element("div", {}, this.players, this.about), this.control);
    this.shown = "";
  }

  get isFocused() {
    return this.element.contains(document.activeElement);
  }

  show(game) {
    const shown = JSON.stringify([game, titleOf(game.system), since(game.created)]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.players.replaceChildren(...namesOf(game));
    this.about.replaceChildren(...aboutOf(game));
  }
}

export function link(text, address) {
  return element("a", { class: "button", href: address, text });
}

export function pageOf(game) {
  return `/games/${encodeURIComponent(game)}`;
}

// The players; of those that are over with what each has won.
function namesOf({ players, kinds, scores, winners }) {
  const free = players.filter((name) => name === null).length;
  const marksBots = kinds.some((kind) => kind !== "bot");
  const names = players.flatMap((name, seat) => {
    if (name === null) return [];
    const won = (winners ?? []).includes(seat);
    return [element("span", { class: won ? "player won" : "player" },
      element("bdi", { text: name }),
      marksBots && kinds[seat] === "bot" ? element("span", { class: "kind", text: ` ${say("bot")}` }) : null,
      scores ? element("b", { class: "score-of", text: `\u00a0${scores[seat]}` }) : null,
      won ? " " : null,
      won ? element("span", { class: "badge won", text: say("winner") }) : null,
    )];
  });
  const separated = names.flatMap((each, place) => (place ? [element("span", { class: "between", text: " · " }), each] : [each]));
  return free ? [...separated, " ", element("span", { class: "badge waits", text: say("free_seats", { count: free }) })] : separated;
}

function aboutOf({ system, kinds, created, validation, status, quarantined, waits }) {
  const onlyBots = kinds.length && kinds.every((kind) => kind === "bot") ? say("only_bots") : "";
  const parts = [titleOf(system), onlyBots, since(created)].filter(Boolean).join(" · ");
  const verdict = status === "finished" && validation !== "pending" ? validation : "";
  return [
    waits ? element("span", { class: "badge turn", text: say("your_turn") }) : null,
    parts,
    verdict ? element("span", { class: `badge ${verdict}`, text: say(`record_is_${verdict}`) }) : null,
    quarantined ? element("span", { class: "badge invalid", text: say("unreadable_game") }) : null,
  ].filter(Boolean).flatMap((each) => [each, " "]);
}

export function since(milliseconds) {
  if (!milliseconds) return "";
  const seconds = Math.max(0, (Date.now() - milliseconds) / 1000);
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["second", Infinity];
  return ago.format(-Math.floor(seconds / size) || 0, unit);
}
