// What this browser remembers: a name, and until it is closed a key.

import { keepSeat } from "../common/seat.js";
import { forget, keep, kept } from "../common/storage.js";

const NAME = "fieldbook/name";
const KEY = "fieldbook/key";
const WINDOW = "sessionStorage";

export const keptName = () => kept(NAME) ?? "";
export const keptKey = () => kept(KEY, WINDOW) ?? "";

export function keepName(name) {
  if (name) keep(NAME, name);
}

export function keepKey(key) {
  if (key) keep(KEY, key, WINDOW);
  else forget(KEY, WINDOW);
}

// Keeps a seat, and says where it is: the token stands in the fragment, which no server is told.
export function takeSeat(game, seat, token) {
  keepSeat(game, token);
  return `/games/${encodeURIComponent(game)}#${new URLSearchParams({ seat, token })}`;
}
