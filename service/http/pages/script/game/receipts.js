// What the service signed about a game: kept in this browser, so that it cannot tell another story later.

const KEPT = "fieldbook/receipts/";
const MOST = 40; // of a game; the oldest go, as a later one says all that an earlier one did, but for a rewound one

export function receiptsOf(game) {
  return JSON.parse(localStorage.getItem(KEPT + game) ?? "[]");
}

export function keepReceipt(game, note) {
  const kept = receiptsOf(game).filter((each) => each !== note);
  localStorage.setItem(KEPT + game, JSON.stringify([...kept, note].slice(-MOST)));
}
