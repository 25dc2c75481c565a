// Whose eyes these are: the token of a seat or a spectator, which a link brings in its fragment and this browser keeps.

import { forget, keep, keepOfGame, kept, keptList, SEATS, TABLES } from "./storage.js";

const OF_A_SEAT = "fbs_"; // how the token of a seat begins, and no other
const MOST_TABLES = 8; // the newest ones

// The token for a game, if there is one. A link's token leaves the address at once: it is not to be shared by mistake.
export function openSeat(game) {
  const named = new URLSearchParams(location.hash.slice(1));
  const token = named.get("token");
  if (token) {
    keepSeat(game, token);
    named.delete("token");
    history.replaceState(null, "", `${location.pathname}${location.search}${named.size ? `#${named}` : ""}`);
    return token;
  }
  const own = seatOf(game);
  if (own) keepOfGame(SEATS, game, own); // it is one of those that were opened last
  return own;
}

// Where a game is open already, the link of a seat changes nothing but the fragment: then the page begins anew with it.
export function followSeat(game) {
  window.addEventListener("hashchange", ({ newURL }) => {
    const token = new URLSearchParams(new URL(newURL).hash.slice(1)).get("token");
    if (!token) return;
    keepSeat(game, token);
    location.reload();
  });
}

export const seatOf = (game) => kept(SEATS + game) ?? "";

// Keeps a token. That of a seat leads back to its table from the first page.
export function keepSeat(game, token) {
  if (token.startsWith(OF_A_SEAT)) {
    const others = keptTables().filter((each) => each !== game);
    keep(TABLES, JSON.stringify([game, ...others].slice(0, MOST_TABLES)));
  }
  keepOfGame(SEATS, game, token);
}

export function leaveSeat(game) {
  forget(SEATS + game);
  forgetTable(game);
}

// The games at which somebody sits here, the newest first.
export const keptTables = () => keptList(TABLES);

export function forgetTable(game) {
  if (keptTables().includes(game)) keep(TABLES, JSON.stringify(keptTables().filter((each) => each !== game)));
}
