// Keys and buttons: those of the terminal player, and what they do.

import { byId } from "./elements.js";
import { search, steppedMatch } from "./matches.js";
import { go, nextPerspective, perspectives, stepped, steppedNote } from "./place.js";
import { faster, play, playAs, tempo } from "./playing.js";
import { last } from "./record.js";
import { searchAnew } from "./search.js";

// What keys and buttons do, by names; a page may have more of it.
export const ACTIONS = {
  "event-on": () => go({ version: stepped("event", 1) }),
  "event-back": () => go({ version: stepped("event", -1) }),
  "command-on": () => go({ version: stepped("command", 1) }),
  "command-back": () => go({ version: stepped("command", -1) }),
  "phase-on": () => go({ version: stepped("phase", 1) }),
  "phase-back": () => go({ version: stepped("phase", -1) }),
  "turn-on": () => go({ version: stepped("turn", 1) }),
  "turn-back": () => go({ version: stepped("turn", -1) }),
  first: () => go({ version: 1 }),
  last: () => go({ version: last }),
  "go-to": () => byId("go-to").select(),
  search: () => byId("sought").select(),
  "match-on": () => go({ version: steppedMatch(1) }),
  "match-back": () => go({ version: steppedMatch(-1) }),
  play: () => play(!tempo.playing),
  faster: () => faster(1),
  slower: () => faster(-1),
  recorded: () => playAs({ recorded: !tempo.recorded }),
  "perspective-on": () => go({ perspective: nextPerspective(1) }),
  "perspective-back": () => go({ perspective: nextPerspective(-1) }),
  "note-on": () => go({ version: steppedNote(1) }),
  "note-back": () => go({ version: steppedNote(-1) }),
  help: () => byId("help").showModal(),
};
export const KEYS = {
  e: "event-on", ArrowRight: "event-on", Enter: "event-on", E: "event-back", ArrowLeft: "event-back", Backspace: "event-back",
  c: "command-on", ArrowDown: "command-on", C: "command-back", ArrowUp: "command-back",
  f: "phase-on", F: "phase-back", t: "turn-on", PageDown: "turn-on", T: "turn-back", PageUp: "turn-back",
  "<": "first", Home: "first", ">": "last", End: "last", g: "go-to", "/": "search", n: "match-on", N: "match-back",
  " ": "play", "+": "faster", "=": "faster", "-": "slower", r: "recorded",
  p: "perspective-on", v: "perspective-on", P: "perspective-back", V: "perspective-back",
  a: "note-on", A: "note-back", "?": "help", h: "help",
};
const SIDEWAYS = ["ArrowLeft", "ArrowRight"];
const UP_OR_DOWN = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];
const LETTERS = "fieldbook/letters"; // whether letters and signs are keys: "off" where somebody has said so
const STOPS_PLAYING = /^(event|command|phase|turn|note|match)-|^(first|last|go-to|search)$/;

export function act(name) {
  if (STOPS_PLAYING.test(name) && tempo.playing) play(false);
  ACTIONS[name]();
}

// Whether an element needs this key itself: text is written there, or it is a button that is pressed.
function keeps(target, key) {
  if (target.closest("dialog")) return true;
  if (target.matches("input:not([type=range]), select, textarea")) return true;
  if ((key === " " || key === "Enter") && target.matches("button, summary, a")) return true;
  const region = target.closest("[tabindex='0']");
  return region !== null && scrolls(region, key);
}

// Whether a part of the page that one reads by itself is moved by this key.
function scrolls(region, key) {
  const { overflowX, overflowY } = getComputedStyle(region);
  const moves = (overflow, room) => room > 0 && ["auto", "scroll"].includes(overflow);
  return (SIDEWAYS.includes(key) && moves(overflowX, region.scrollWidth - region.clientWidth))
    || (UP_OR_DOWN.includes(key) && moves(overflowY, region.scrollHeight - region.clientHeight));
}

// Letters and signs can be turned off as keys (WCAG 2.1.4): who speaks to a browser, or hits a key by accident, would go
// anywhere. Where a browser keeps nothing they are on again when the page is loaded.
function beginLetters() {
  const box = byId("letters");
  box.checked = true;
  try {
    box.checked = localStorage.getItem(LETTERS) !== "off";
  } catch {}
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(LETTERS, box.checked ? "on" : "off");
    } catch {}
  });
}

const isTurnedOff = (key) => key.length === 1 && key !== " " && !byId("letters").checked;

export function beginKeys() {
  beginLetters();
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") {
      if (event.target === byId("sought")) byId("sought").value = "";
      if (event.target === byId("sought")) searchAnew();
      if (event.target.matches("input")) event.target.blur();
      if (tempo.playing) play(false);
      return;
    }
    if (keeps(event.target, event.key) || isTurnedOff(event.key)) return;
    const seat = /^[0-9]$/.test(event.key) ? `seat:${event.key}` : undefined;
    if (perspectives.includes(seat)) go({ perspective: seat });
    else if (KEYS[event.key]) act(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) act(button.dataset.go);
  });
}
