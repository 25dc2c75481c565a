// Who takes part: by the name that is shown, or by the id where there is none.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";

export function namesIn(field) {
  return new Map(field.map(({ player, name, bot }) => [player, { name: name || player, isBot: Boolean(bot) }]));
}

export function person(names, player) {
  const { name, isBot } = names.get(player) ?? { name: player, isBot: false };
  return element("span", { class: "person" },
    element("bdi", { text: name }), isBot ? element("span", { class: "kind quiet", text: ` ${say("bot")}` }) : null);
}

// A name in a sentence, apart from the letters around it, which may run the other way.
export const nameIn = (names, player) => `\u2068${names.get(player)?.name ?? player}\u2069`;

// Some of them one after the other.
export function people(names, players) {
  return players.flatMap((each, place) => (place ? [", ", person(names, each)] : [person(names, each)]));
}
