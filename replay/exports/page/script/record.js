// The record of the page: which table, sentence and moment there is at a version, for each perspective.

import { filled } from "./elements.js";

export let data = {};
export let labels = {};
export let last = 0;
export let moments = [];
export let starts = {};
export let layers = new Map();
let lapses = new Set(); // versions of a game that goes on at which something only lapsed
const SNAPSHOT = 64; // changes between two tables that are kept whole
const AHEAD = 300; // milliseconds for the first table

// Numbers from the steps between them.
function summed(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

// How many of some rising numbers are not above this one.
export function countUpTo(numbers, most) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Layer {
  constructor(stored) {
    this.versions = summed(stored.versions);
    this.changes = stored.changes;
    this.said = summed(stored.said);
    this.texts = stored.texts;
    this.snapshots = [new Map()];
  }

  // Takes what changes at a version behind all others.
  append(version, change) {
    this.versions.push(version);
    this.changes.push(change);
  }

  apply(parts, change) {
    for (const [name, value] of Object.entries(change)) {
      if (value === null) parts.delete(name);
      else parts.set(name, value);
    }
  }

  // The parts after so many changes, or all there are. On the way there tables are kept whole.
  after(most) {
    const count = Math.min(most, this.changes.length);
    const begin = Math.floor(count / SNAPSHOT);
    while (this.snapshots.length <= begin) {
      const known = this.snapshots.length - 1;
      this.snapshots.push(this.changed(known, (known + 1) * SNAPSHOT));
    }
    return this.changed(begin, count);
  }

  changed(begin, count) {
    const parts = new Map(this.snapshots[begin]);
    for (let place = begin * SNAPSHOT; place < count; place += 1) this.apply(parts, this.changes[place]);
    return parts;
  }

  // What the layer holds at a version.
  at(version) {
    return this.after(countUpTo(this.versions, version));
  }

  // What the layer holds behind all changes.
  get newest() {
    return this.after(Infinity);
  }

  // What a part is in the end, without any table; null or undefined where it is not there.
  inTheEnd(name) {
    for (let place = this.changes.length - 1; place >= 0; place -= 1) {
      if (name in this.changes[place]) return this.changes[place][name];
    }
    return undefined;
  }

  // The text with which the layer tells a version; undefined where it has none of its own.
  text(version) {
    const place = countUpTo(this.said, version) - 1;
    return place >= 0 && this.said[place] === version ? data.texts[this.texts[place]] : undefined;
  }
}

// Takes what an export writes into its page, and the service answers as a game's history.
export function openRecord(written) {
  data = written;
  labels = data.labels;
  last = data.last;
  lapses = new Set(summed(data.lapses ?? []));
  moments = summed(data.at);
  starts = Object.fromEntries(Object.entries(data.starts).map(([unit, steps]) => [unit, summed(steps)]));
  layers = new Map(Object.entries(data.layers).map(([name, stored]) => [name, new Layer(stored)]));
}

// Goes through the game once, a layer after another, while the reader looks at the first table: then none is far away.
export function lookAhead() {
  const left = [...layers.values()];
  const look = () => left.shift()?.after(Infinity) && setTimeout(look);
  setTimeout(look, AHEAD);
}

// Takes an event behind all others: what a service tells while one watches.
export function appendEvent({ at, actor, text, isLapse = false }) {
  last += 1;
  if (isLapse) lapses.add(last);
  moments.push(at);
  if (!data.actors.includes(actor)) data.actors.push(actor);
  data.actor.push(data.actors.indexOf(actor));
  layers.get("open").said.push(last);
  layers.get("open").texts.push(data.texts.push(text) - 1);
}

// The names of the layers that a perspective sees, the lowest first.
function layersOf(perspective) {
  if (perspective === "all") return [...layers.keys()].sort((one, other) => rank(one) - rank(other));
  return ["open", perspective].filter((name) => layers.has(name));
}

function rank(layer) {
  return layer === "open" ? 0 : layer === "all" ? 2 : 1;
}

// The table at a version as a perspective sees it: its parts by name.
export function tableAt(version, perspective) {
  const table = new Map();
  for (const name of layersOf(perspective)) {
    for (const [part, value] of layers.get(name).at(version)) table.set(part, value);
  }
  for (const [part, value] of table) if (value === false) table.delete(part);
  return table;
}

// A value behind its label, with the colon of the language.
export const labelled = (label, value) => `${filled(labels.labelled, { label })} ${value}`;

// What everybody calls a player in the end.
export function nameOf(seat) {
  return layers.get("open")?.inTheEnd(`${seat}.who`);
}

export function sentenceAt(version, perspective) {
  const own = layers.has(perspective) ? layers.get(perspective).text(version) : undefined;
  return own === undefined ? layers.get("open").text(version) : own;
}

// The version that tells what a command did, where only what lapsed by it came after that: a trade, and not the offers
// that went with it.
export function toldFor(version) {
  const begin = starts.command[countUpTo(starts.command, version) - 1] ?? 1;
  let told = version;
  while (told > begin && lapses.has(told)) told -= 1;
  return told;
}

export function actorAt(version) {
  return data.actors[data.actor[version - 1]];
}

// A moment as people read it, in UTC; empty in a simulated game, whose clock begins at 0; one that no calendar has stays
// a number.
export function momentText(milliseconds) {
  if (milliseconds < 31_536_000_000) return "";
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
