// The tokens of seats and spectators that this browser keeps, one for each game.

import { forget, keep, keepOfGame, kept, keptList, SEATS, TABLES } from "./storage.js";

const OF_A_SEAT = "fbs_"; // how the token of a seat begins, and no other
const MOST_TABLES = 8; // the newest ones

export const isSeatToken = (token) => token.startsWith(OF_A_SEAT);

export const seatOf = (game) => kept(SEATS + game) ?? "";

// Keeps a token that the service has given or confirmed. That of a seat leads back to its table from the first page.
export function keepSeat(game, token) {
  if (isSeatToken(token)) {
    const others = keptTables().filter((each) => each !== game);
    keep(TABLES, JSON.stringify([game, ...others].slice(0, MOST_TABLES)));
  }
  keepOfGame(SEATS, game, token);
}

export function leaveSeat(game) {
  forget(SEATS + game);
  forgetTable(game);
}

// Removes the token of a link from the address, so that it is not shared by mistake, and returns it; "" where there is none.
export function removeToken() {
  const named = new URLSearchParams(location.hash.slice(1));
  const token = named.get("token") ?? "";
  named.delete("token");
  const rest = named.size ? `#${named}` : "";
  if (token) history.replaceState(null, "", `${location.pathname}${location.search}${rest}`);
  return token;
}

// The games at which somebody sits here, the newest first.
export const keptTables = () => keptList(TABLES);

export function forgetTable(game) {
  if (keptTables().includes(game)) keep(TABLES, JSON.stringify(keptTables().filter((each) => each !== game)));
}
