// How it ended: who has won, with how much, and where to go on.

import { inLanguage } from "../common/language.js";
import { refusalOf } from "../common/refusals.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { go } from "../table/place.js";
import { pressable } from "./buttons.js";
import { listed, now, part, seatName, seats } from "./now.js";

export function result() {
  const { result: ended } = now.scene.table;
  const winners = ended?.winners ?? [];
  const isDraw = ended?.reason === "drawn";
  const places = placesOf(ended);
  const ranked = [...places.keys()].sort((one, other) => places[one] - places[other] || ended.scores[other] - ended.scores[one]);
  const scores = ranked.map((seat) => element("li", { class: winners.includes(seat) ? "has-won" : "", value: places[seat] },
    element("bdi", { text: seatName(seat) }), " ", element("b", { text: scoreOf(seat, ended) }),
    winners.includes(seat) ? element("span", { class: "badge won", text: say(isDraw ? "has_drawn" : "has_won") }) : null));
  const trouble = element("p", { class: "notice", role: "alert" });
  const again = pressable(say("rematch"), () => playAgain(again, trouble), { class: "act main", "data-act": "rematch" });
  // Who comes back to a page that the browser has kept whole can go there once more.
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) again.disabled = false; });
  return element("section", { id: "result", "aria-labelledby": "result-title" },
    element("h2", { id: "result-title", tabindex: -1, text: isDraw ? say("drawn") : headline(winners) }),
    element("ol", {}, ...scores),
    element("div", { class: "acts" },
      again, pressable(say("look_back"), () => go({ version: 1 }), { class: "act" }),
      element("a", { class: "act", href: "/", text: say("play_again") })),
    trouble);
}

// The place of each seat, by its number: those who have won share the first, and equal scores any other.
function placesOf({ winners, scores }) {
  const isBefore = (one, other) => !winners.includes(other) && (winners.includes(one) || scores[one] > scores[other]);
  return scores.map((_, seat) => 1 + scores.filter((_each, other) => isBefore(other, seat)).length);
}

// The same table again: this seat's place there, with a token of its own. Whoever asks first sets the table up.
async function playAgain(button, trouble) {
  button.disabled = true;
  try {
    const { game, seat, token } = await now.api.send("POST", `/v1/games/${now.game}/rematch`);
    location.assign(inLanguage(`/games/${encodeURIComponent(game)}#${new URLSearchParams({ seat, token })}`));
  } catch (error) {
    button.disabled = false;
    trouble.replaceChildren(...refusalOf(error));
  }
}

function headline(winners) {
  if (!winners.length) return say("nobody_won");
  if (winners.includes(now.seat)) return winners.length > 1 ? say("you_won_together", { players: listed(winners.map(seatName)) }) : say("you_won");
  return say("they_won", { players: listed(winners.map(seatName)), count: winners.length });
}

// As the table writes it, or the plain number of coins.
const scoreOf = (seat, { scores }) => part(`${seat}.score`) ?? say("coins_count", { count: scores[seat] });
