// What went wrong, in a sentence that helps, and a way on.

import { Problem, Unreachable } from "../client/problems.js";
import { refusalOf } from "../common/refusals.js";
import { leaveSeat } from "../common/seat.js";
import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { last } from "../table/record.js";
import { forgetLink } from "./link.js";

const NOT_GOOD = ["bad_token", "not_your_game"]; // of a token

// Shows why there is nothing to see: an error, or how the service refused `token`.
export function showTrouble(trouble, game, token) {
  const told = trouble instanceof Unreachable ? "away" : trouble.code ?? trouble.body?.code;
  const isSeatless = NOT_GOOD.includes(told) && token !== "";
  const code = isSeatless ? "bad_token" : told;
  const known = words[`trouble_${code}`] === undefined ? undefined : say(`trouble_${code}`);
  const isRefused = known === undefined && trouble instanceof Problem;
  const said = isRefused ? refusalOf(trouble) : [element("span", { text: known ?? say("trouble_other") })];
  const ways = [link(location.pathname + location.search, "load_again"), link("/", "to_lobby")];
  if (isSeatless) {
    ways.unshift(link(location.pathname + location.search, "watch_only"));
    ways[0].addEventListener("click", () => {
      leaveSeat(game);
      forgetLink(game);
    });
  }
  byId("broken").replaceChildren(...said, ...ways.flatMap((way) => [" ", way]));
  byId("broken").hidden = false;
  byId("loading")?.remove();
  document.body.classList.toggle("is-empty", !last);
  if (!(trouble instanceof Problem || trouble instanceof Unreachable || trouble.body)) throw trouble;
}

// Takes it away again: there is an answer now.
export function forgetTrouble() {
  byId("broken").hidden = true;
  document.body.classList.remove("is-empty");
}

const link = (address, key) => element("a", { href: address, text: say(key) });
