// The table itself as buttons: tap a card, tap where it goes. A place is a button only while something can be done there.

import { say } from "../common/words.js";
import { byId } from "../table/elements.js";
import { place } from "../table/place.js";
import { last } from "../table/record.js";
import { formOf, isListed, meaningOf, placesOf } from "./commands.js";
import { changeDraft, draft } from "./composer.js";
import { choose } from "./dialog.js";
import { toggle } from "./draft.js";
import { now, sceneFollowers } from "./now.js";
import { send, sending } from "./sending.js";

const AT_ONCE = new Set(["reveal", "draw"]); // what is done by the tap alone: there is nothing to choose

let ends = new Map(); // the acts that a tap at a place can mean, by places
let carried = new Map(); // those that bring a card from a place to another one
let selected = ""; // the card that is to go somewhere
let focused = false; // whether a place had the focus before the table was drawn anew

export function beginTapping() {
  const table = byId("table");
  table.addEventListener("click", (event) => {
    const found = event.target.closest("[data-tap]");
    if (found) tap(found.dataset.place);
  });
  table.addEventListener("keydown", (event) => {
    const found = event.target.closest("[data-tap]");
    if (event.key === "Escape" && selected) return select("");
    if (!found || !["Enter", " "].includes(event.key)) return undefined;
    event.preventDefault();
    event.stopPropagation();
    return tap(found.dataset.place);
  });
}

// Before the table is drawn anew: whether the reader is at one of its places.
export function rememberFocus() {
  focused = document.activeElement.dataset.tap !== undefined;
}

// Makes buttons of the places at which something can be done. Where the reader's place is none any more they go on at
// the heading of what can be done.
export function drawPlaces() {
  dressPlaces([byId("middle"), byId("seats")]);
  if (focused && document.activeElement.dataset.tap === undefined) byId("play-title").focus({ preventScroll: true });
  focused = false;
}

export function dressPlaces(tops) {
  collect();
  if (selected && !carried.has(selected)) selected = "";
  const isNow = place.version === last && now.scene.status === "running";
  for (const each of tops.flatMap((top) => [top, ...top.querySelectorAll("[data-place]")])) {
    const name = each.dataset.place;
    if (name) dress(each, isNow && actsAt(name).length ? looksOf(each, name) : undefined);
  }
}

const ATTRIBUTES = ["data-tap", "role", "tabindex", "aria-label", "aria-pressed"];

// Only what differs is changed: an element that loses its `tabindex` for a moment loses the focus.
function dress(each, looks) {
  if (!looks && each.dataset.tap === undefined) return;
  for (const name of ATTRIBUTES) {
    const value = looks?.[name];
    if (value === undefined) each.removeAttribute(name);
    else if (each.getAttribute(name) !== value) each.setAttribute(name, value);
  }
  each.classList.toggle("can-tap", looks !== undefined);
  each.classList.toggle("is-selected", looks?.isSelected === true);
  each.classList.toggle("is-target", looks?.isTarget === true);
}

function looksOf(each, name) {
  const isTarget = selected !== "" && bringing(selected, name).length > 0;
  const isSelected = name === selected || isInDraft(name);
  const isCard = carried.has(name) || isDraftCard(name);
  const label = `${describe(each)}: ${purpose(name, isTarget)}`;
  return { "data-tap": "", role: "button", tabindex: "0", "aria-label": label, "aria-pressed": isCard ? String(isSelected) : undefined, isSelected, isTarget };
}

// What a place is, in words: a card has its name, others what stands in them.
function describe(each) {
  const texts = each.matches(".chip") ? [each.title] : [...each.querySelectorAll(".label, .chip, .quiet, .size, .meter > .unseen")].map((part) => part.textContent);
  return (texts.join(" ") || each.textContent).replace(/\s+/g, " ").trim();
}

function purpose(name, isTarget) {
  if (isTarget) return listOf(bringing(selected, name));
  if (isDraftCard(name)) return say(isInDraft(name) ? "tap_out_of_offer" : "tap_into_offer");
  if (carried.has(name)) return say("tap_choose");
  return listOf(actsAt(name));
}

const listOf = (acts) => (acts.length > 2 ? say("tap_acts", { count: acts.length }) : acts.map(({ text }) => text).join(", "));

// Which acts begin and end at which places.
function collect() {
  ends = new Map();
  carried = new Map();
  const add = (map, key, choice) => map.set(key, [...(map.get(key) ?? []), choice]);
  for (const choice of now.scene.commands ?? []) {
    const { from, to } = placesOf(choice.command);
    for (const each of from) add(to.length ? carried : ends, each, choice);
    for (const each of to) add(ends, each, choice);
  }
}

const bringing = (from, to) => (carried.get(from) ?? []).filter(({ command }) => placesOf(command).to.includes(to));

// Everything that a tap at this place could mean.
function actsAt(name) {
  const draftActs = isDraftCard(name) ? [{ text: say("tap_into_offer") }] : [];
  return [...draftActs, ...(carried.get(name) ?? []), ...(ends.get(name) ?? [])];
}

function isDraftCard(name) {
  const [kind, seat, number] = name.split(":");
  const form = formOf(draft.counters === null ? "offer" : "counter");
  if (!form) return false;
  if (kind === "hand") return Number(seat) === now.seat && form.hand.includes(Number(number));
  return kind === "revealed" && [...form.revealed, ...form.want_revealed].includes(Number(seat));
}

function isInDraft(name) {
  const [kind, seat, number] = name.split(":");
  if (kind === "hand") return Number(seat) === now.seat && draft.hand.has(Number(number));
  return kind === "revealed" && (draft.revealed.has(Number(seat)) || draft.wantRevealed.has(Number(seat)));
}

export function select(name) {
  selected = name;
  rememberFocus();
  drawPlaces();
}

async function tap(name) {
  if (sending.parcel) return;
  if (isDraftCard(name)) return putIntoDraft(name);
  const brought = selected ? bringing(selected, name) : [];
  if (brought.length) {
    selected = "";
    return perform(brought, { atOnce: true });
  }
  if (carried.has(name)) return select(name === selected ? "" : name);
  return perform(ends.get(name) ?? [], { atOnce: false });
}

// Does what is meant: at once where there is one thing to do and no choice, else what is chosen from a list. The list
// closes by itself when one of the acts is possible no more, or has come to mean something else.
async function perform(acts, { atOnce }) {
  if (acts.length === 1 && (atOnce || AT_ONCE.has(acts[0].command.type))) return send(acts[0].command);
  const meant = () => JSON.stringify(acts.map(({ command }) => [isListed(command), meaningOf(command)]));
  const asked = meant();
  const gone = new AbortController();
  const stillMeant = () => meant() === asked || gone.abort();
  sceneFollowers.push(stillMeant);
  const options = acts.map(({ text, command }, at) => ({ label: text, value: command, main: at === 0 }));
  const chosen = await choose(say("what_to_do"), options, { signal: gone.signal });
  sceneFollowers.splice(sceneFollowers.indexOf(stillMeant), 1);
  return chosen ? send(chosen) : undefined;
}

function putIntoDraft(name) {
  const [kind, seat, number] = name.split(":");
  const form = formOf(draft.counters === null ? "offer" : "counter");
  changeDraft(() => {
    if (kind === "hand") toggle(draft.hand, Number(number));
    else toggle(form.revealed.includes(Number(seat)) ? draft.revealed : draft.wantRevealed, Number(seat));
  });
}
