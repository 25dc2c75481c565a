// As whom somebody writes: with the seat of this game that the browser has, or with a key that is typed in.

import { serviceAs } from "../common/service.js";
import { forget, keep, kept } from "../common/storage.js";

const KEPT = "fieldbook/key";
const WHERE = "sessionStorage"; // of this window only: a key opens more than one game

// How the service is asked for what somebody writes, given how it is asked for everything else.
export function writerOf(api) {
  const key = kept(KEPT, WHERE);
  return key ? serviceAs(key) : api;
}

export const hasKey = () => kept(KEPT, WHERE) !== null;
export const keepKey = (key) => keep(KEPT, key, WHERE);
export const forgetKey = () => forget(KEPT, WHERE);
