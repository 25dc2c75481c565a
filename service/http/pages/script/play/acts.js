// Every act that is ready to be done, as buttons: what the turn asks for first, then what is open at any moment.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { anyTimeGroups, formOf, isBluff, turnGroups } from "./commands.js";
import { composeOffer, draft } from "./composer.js";
import { keep } from "./kept.js";
import { levyChooser } from "./levy.js";
import { isAwaited } from "./now.js";
import { send } from "./sending.js";

const FOLDED = 8; // so many acts of a kind stand open; of more, those beyond are folded away

export function drawActs(turn, anyTime) {
  const groups = turnGroups();
  const main = isAwaited() && !formOf("offer") ? groups[0]?.type : undefined;
  keep(turn, [offerAct(), ...groups.map((group) => groupItem(group, { isMain: group.type === main }))]);
  const open = anyTimeGroups();
  keep(anyTime, open.flatMap((group) => (group.type === "harvest" ? harvests(group) : [groupItem(group, {})])));
  anyTime.hidden = !open.length;
}

// The way to the composer: the heart of a trading.
function offerAct() {
  const form = formOf("offer");
  if (!form || draft.open) return null;
  return { key: "compose", sign: form.to, make: () => element("div", { class: "acts" }, pressable(say("make_offer"), () => composeOffer(), { class: "act main" })) };
}

function groupItem(group, { isMain }) {
  const sign = [group.choices, isMain];
  return { key: group.type, sign, make: () => (group.type === "levy" && group.choices.length > FOLDED ? levyChooser(group.choices) : acts(group, isMain)) };
}

// What one has can be given without a risk: bluffs stand behind it.
function acts(group, isMain) {
  const ordered = group.type.endsWith("_gift") ? [...group.choices].sort((one, other) => isBluff(one.command) - isBluff(other.command)) : group.choices;
  const buttons = ordered.map((choice, place) => act(choice, isMain && place === 0));
  return element("div", { class: "acts", role: "group", "data-type": group.type }, ...buttons.slice(0, FOLDED), folded(buttons.slice(FOLDED), say("more_of_it")));
}

// A harvest that also turns another field around stands behind the plain one.
function harvests({ type, choices: all }) {
  const plain = all.filter(({ command }) => command.rotate === undefined);
  const turning = all.filter(({ command }) => command.rotate !== undefined);
  const item = { key: type, sign: all, make: () => element("div", { class: "acts", role: "group", "data-type": type },
    ...plain.map((choice) => act(choice)), folded(turning.map((choice) => act(choice)), say("harvest_and_rotate"))) };
  return [item];
}

function folded(buttons, label) {
  if (!buttons.length) return null;
  return element("details", { class: "folded" }, element("summary", { text: label }), element("div", { class: "acts" }, ...buttons));
}

export function act({ text, command }, isMain = false) {
  return pressable(text, () => send(command), { class: isMain ? "act main" : "act", "data-act": command.type });
}
