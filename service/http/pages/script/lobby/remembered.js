// What this browser remembers: a name, the tables at which somebody sits here, and until it is closed a key.

import { keepSeat } from "../common/seat.js";

const NAME = "fieldbook/name";
const KEY = "fieldbook/key";
const TABLES = "fieldbook/tables";
export const MOST_TABLES = 8; // the newest ones

export const keptName = () => localStorage.getItem(NAME) ?? "";
export const keptKey = () => sessionStorage.getItem(KEY) ?? "";

export function keepName(name) {
  if (name) localStorage.setItem(NAME, name);
}

export function keepKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

// The games at which somebody sits here, the newest first.
export function keptTables() {
  const kept = JSON.parse(localStorage.getItem(TABLES) ?? "[]");
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}

// Keeps a seat, and says where it is: the token stands in the fragment, which no server is told.
export function takeSeat(game, seat, token) {
  keepSeat(game, token);
  localStorage.setItem(TABLES, JSON.stringify([game, ...keptTables().filter((each) => each !== game)].slice(0, MOST_TABLES)));
  return `/games/${encodeURIComponent(game)}#${new URLSearchParams({ seat, token })}`;
}

export function forgetTable(game) {
  localStorage.setItem(TABLES, JSON.stringify(keptTables().filter((each) => each !== game)));
}
