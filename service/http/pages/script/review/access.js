// As whom somebody writes: with the seat of this game that the browser has, or with a key that is typed in.

import { serviceAs } from "../common/service.js";

const KEPT = "fieldbook/key"; // of this window only: a key opens more than one game

// How the service is asked for what somebody writes, given how it is asked for everything else.
export function writerOf(api) {
  const key = sessionStorage.getItem(KEPT);
  return key ? serviceAs(key) : api;
}

export const hasKey = () => sessionStorage.getItem(KEPT) !== null;
export const keepKey = (key) => sessionStorage.setItem(KEPT, key);
export const forgetKey = () => sessionStorage.removeItem(KEPT);
