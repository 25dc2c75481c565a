// The help on keys, and what is said about the game itself.

import { byId, element } from "./elements.js";
import { data, labels } from "./record.js";

const HELP = [
  ["→ e Enter", "event_on"], ["← E Backspace", "event_back"], ["↓ c", "command_on"], ["↑ C", "command_back"],
  ["f", "phase_on"], ["F", "phase_back"], ["t PageDown", "turn_on"], ["T PageUp", "turn_back"],
  ["Home <", "first"], ["End >", "last"], ["g", "go_to"], ["/", "search"], ["n", "next_match"], ["N", "match_before"],
  ["Space", "play"], ["+", "faster"], ["-", "slower"], ["r", "recorded"], ["p v", "next_perspective"], ["0–9", "seat_keys"],
  ["a", "note_on"], ["A", "note_back"], ["?", "help"],
];

export function beginHelp() {
  byId("keys").append(...HELP.flatMap(([keys, label]) => [
    element("dt", {}, ...keys.split(" ").map((key) => element("kbd", { text: key }))),
    element("dd", { text: labels[label] }),
  ]));
  byId("help").addEventListener("click", (event) => {
    if (event.target === byId("help")) byId("help").close();
  });
}

export function drawAbout() {
  byId("facts").replaceChildren(...data.facts.flatMap(([label, text]) => [
    element("dt", { text: label }), element("dd", { dir: "auto", text })]));
  byId("summary").textContent = data.summary;
  byId("broken").hidden = !data.broken;
  byId("broken").textContent = data.broken;
}
