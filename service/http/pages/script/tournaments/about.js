// What a tournament is played by, and how far it has come.

import { say, words } from "../common/words.js";
import { lasting, moment } from "../common/written.js";
import { titleOf } from "../lobby/systems.js";
import { element } from "../table/elements.js";
import { nameIn } from "./people.js";

// How far it has come, as a sentence that a screen reader says when it is another one.
export function stateOf({ status, settings, schedule, standings, field }, names) {
  if (status === "registering") return say("state_registering", { count: field.filter(({ withdrew }) => !withdrew).length });
  if (status === "finished") {
    const first = standings.filter(({ place }) => place === 1).map(({ player }) => nameIn(names, player));
    return say("state_finished", { names: first.join(", ") });
  }
  const played = schedule.at(-1);
  if (!played || played.is_closed) return say("state_pairing");
  const over = played.tables.filter(({ outcome }) => outcome).length;
  const counts = { round: played.number, rounds: settings.rounds, over, tables: played.tables.length };
  return say(settings.rounds ? "state_round" : "state_round_of_knockout", counts);
}

export function aboutOf({ system, settings, format, created }, clocks) {
  const options = Object.entries(settings.options ?? {}).map(optionOf);
  return [
    ["rules", titleOf(system)],
    ["format", say(`format_${format}`)],
    ["format_means", say(`means_${format}`)],
    ["table_sizes", settings.sizes.join(", ")],
    ["rounds", settings.rounds ? String(settings.rounds) : say("until_one_is_left")],
    ["clock_of_table", clockOf(settings.clock, clocks)],
    ["late_tables", settings.late_after ? say("late_after", { time: lasting(settings.late_after) }) : say("late_never")],
    ["options", options.join(", ")],
    ["announced", moment(created)],
  ].filter(([, value]) => value).flatMap(([name, value]) =>
    [element("dt", { text: say(name) }), element("dd", { text: value })]);
}

// An option and what was chosen, in words; one that only this service's rules have, as they write it.
function optionOf([name, value]) {
  if (words[`option_${name}`] === undefined) return `${name}: ${value}`;
  if (Number.isInteger(value)) return say(`option_${name}`, { value: say("value_seat", { seat: value }) });
  return say(`option_${name}`, { value: words[`value_${value}`] ?? value });
}

// A clock by its name where it has one. A member that is as usual is left out of a tournament's settings.
function clockOf(clock, clocks) {
  if (!clock) return say("no_clock");
  const isLike = ([, named]) => Object.entries(clock).every(([member, value]) => named[member] === value);
  const [name] = Object.entries(clocks).find(isLike) ?? [];
  if (words[`clock_${name}`] !== undefined) return say(`clock_${name}`);
  return say("clock_of_its_own", { bank: lasting(clock.bank), increment: lasting(clock.increment) || "0", answer: lasting(clock.answer) });
}
