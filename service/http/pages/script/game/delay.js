// That what one sees happened some time ago: said to whoever watches a game that its table shows later, with how much.

import { askUntilAnswered } from "../common/service.js";
import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";

const MOST = 1_000; // versions that a table can choose; further behind are those for whom a round is hidden to its end
let isOver = false;

export async function showDelay(api, game) {
  const { spectator_delay: count } = await askUntilAnswered(() => api.get(`/v1/games/${game}`), () => undefined);
  if (!count || isOver || api.token.startsWith("fbk_")) return;
  const text = count > MOST ? say("delayed_to_the_end") : say("delayed", { count });
  byId("summary").insertAdjacentElement("afterend", element("p", { id: "delayed", text }));
}

// At the end of the game everybody sees all of it.
export function forgetDelay() {
  isOver = true;
  byId("delayed")?.remove();
}
