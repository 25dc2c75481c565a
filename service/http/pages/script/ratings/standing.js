// A strength in points, and who has it.

import { say } from "../common/words.js";
import { figure } from "../common/written.js";
import { element } from "../table/elements.js";

const UNIT = 10_000; // of the service's figures in one point

export const inPoints = (counted, sign) => figure(counted / UNIT, 2, sign);

// What is known of a strength: the middle, and how far off it may be.
export const spread = (mu, sigma) => `${inPoints(mu)} ± ${inPoints(sigma)}`;

// By the name that is shown; a player whose name is forgotten, or who never had one, by the id alone.
export function nameOf(player, name) {
  if (player.startsWith("*")) return element("span", {}, element("bdi", { text: player.slice(1) }), element("span", { class: "kind quiet", text: ` ${say("bot")}` }));
  return element("bdi", { text: name ?? player });
}
