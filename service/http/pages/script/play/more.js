// What is done seldom, behind a word of its own and with a question first: taking back, a dispute, ending, leaving.

import { refusalOf } from "../common/refusals.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { choices } from "./commands.js";
import { choose, confirm } from "./dialog.js";
import { disputeForm } from "./dispute.js";
import { keep } from "./kept.js";
import { now } from "./now.js";
import { send } from "./sending.js";

const SHOWN = 8; // versions to go back to

export function drawMore(place) {
  keep(place, [
    ...asked("ask_take_back"),
    { key: "dispute", sign: 0, make: () => pressable(say("open_dispute"), disputeForm, { class: "act", "data-act": "dispute" }) },
    ...asked("offer_end"), ...asked("resign"),
  ]);
}

// The buttons for a type of command; what ends more stands lower.
function asked(type) {
  return choices(type).map(({ text, command }) => ({
    key: type + (command.kind ?? ""), sign: [text, command], make: () => pressable(text, () => ask(text, command), { class: "act", "data-act": type }),
  }));
}

async function ask(text, command) {
  if (command.type === "ask_take_back") return askTakeBack(text);
  if (await confirm(say("really"), text, say(`really_${command.type}`))) await send(command);
  return undefined;
}

// To which version the game shall go back, and whether hidden cards were seen since.
async function askTakeBack(title) {
  let versions;
  try {
    ({ versions } = await now.api.get(`/v1/games/${now.game}/take-backs`));
  } catch (error) {
    await choose(title, [], { text: refusalOf(error), cancel: say("close") });
    return;
  }
  const stops = versions.slice(0, SHOWN).map(({ version, turn, seen }) => ({
    label: say(seen.length ? "back_to_seen" : "back_to", { version, turn }), value: { version, seen: seen.length > 0 },
  }));
  const stop = await choose(title, stops, { text: say(stops.length ? "take_back_help" : "nothing_to_take_back") });
  if (stop) await send({ type: "ask_take_back", to_version: stop.version, ...(stop.seen ? { seen_confirmed: true } : {}) });
}
