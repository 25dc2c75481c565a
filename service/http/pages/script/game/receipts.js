// What the service signed about a game: kept in this browser, so that it cannot tell another story later.

import { keepOfGame, keptList, RECEIPTS } from "../common/storage.js";

const MOST = 40; // of a game; the oldest go, as a later one says all that an earlier one did, but for a rewound one
const FORM = "text/plain";

export const receiptsOf = (game) => keptList(RECEIPTS + game);

export function keepReceipt(game, note) {
  const others = receiptsOf(game).filter((each) => each !== note);
  keepOfGame(RECEIPTS, game, JSON.stringify([...others, note].slice(-MOST)));
}

// Has the service sign the game as it stands now, and keeps that.
export async function askForReceipt(api, game) {
  const decoder = new TextDecoder();
  let note = "";
  for await (const chunk of await api.open("/v1/games/{game}/receipt", FORM, { game })) {
    note += decoder.decode(chunk, { stream: true });
  }
  keepReceipt(game, note);
}
