// A branch behind the game that it parts from, as one record: so the viewer goes through it like through any other.

import { differenceTo } from "../game/live.js";

const summed = (steps) => { let sum = 0; return steps.map((step) => (sum += step)); };
const stepsOf = (numbers) => numbers.map((number, place) => number - (numbers[place - 1] ?? 0));

// The history of a game up to where a branch begins, and then the branch (`recording` of an answer about one).
export function join(history, recording) {
  const { origin, last } = recording;
  const upTo = (steps) => summed(steps).filter((version) => version <= origin);
  const starts = Object.fromEntries(Object.entries(history.starts).map(([unit, steps]) =>
    [unit, stepsOf([...upTo(steps), ...summed(recording.starts[unit])])]));
  const actors = [...new Set([...history.actors, ...recording.actors])];
  const layers = {};
  for (const name of new Set([...Object.keys(history.layers), ...Object.keys(recording.layers)])) {
    layers[name] = joinLayer(history.layers[name], recording.layers[name], origin, history.texts.length);
  }
  return {
    ...history, origin, last, starts, layers, actors,
    at: [...history.at.slice(0, origin), ...Array(last - origin).fill(0)],
    actor: [...history.actor.slice(0, origin), ...recording.actor.map((place) => actors.indexOf(recording.actors[place]))],
    texts: [...history.texts, ...recording.texts],
    statistics: undefined,
    notes: [],
  };
}

const NOTHING = { versions: [], changes: [], said: [], texts: [] };

function joinLayer(game = NOTHING, branch = NOTHING, origin, offset) {
  const versions = summed(game.versions).filter((version) => version <= origin);
  const changes = game.changes.slice(0, versions.length);
  const before = new Map();
  for (const change of changes) {
    for (const [part, value] of Object.entries(change)) {
      if (value === null) before.delete(part);
      else before.set(part, value);
    }
  }
  // The branch's first table stands there whole, and at the origin; what it has may still be what the game had.
  const [first, ...further] = summed(branch.versions);
  const begins = first === origin ? branch.changes[0] : {};
  versions.push(origin, ...(first === origin ? further : first === undefined ? [] : [first, ...further]));
  changes.push(differenceTo(before, begins), ...branch.changes.slice(first === origin ? 1 : 0));
  const said = summed(game.said).filter((version) => version <= origin);
  const added = summed(branch.said).map((version, place) => [version, branch.texts[place]]).filter(([version]) => version > origin);
  return {
    versions: stepsOf(versions),
    changes,
    said: stepsOf([...said, ...added.map(([version]) => version)]),
    texts: [...game.texts.slice(0, said.length), ...added.map(([, text]) => text + offset)],
  };
}
