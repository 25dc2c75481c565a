// From whom a levy takes, in which order: its coins land in the order named.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { listed, seatName } from "./now.js";
import { send } from "./sending.js";

export function levyChooser(choices) {
  const chosen = [];
  const seats = [...new Set(choices.flatMap(({ command }) => command.seats))];
  const fitting = () => choices.find(({ command }) => JSON.stringify(command.seats) === JSON.stringify(chosen));
  const sentence = element("p", { "aria-live": "polite" });
  const toggles = seats.map((seat) => pressable(seatName(seat), () => choose(seat), { class: "act toggle", "aria-pressed": "false" }));
  const done = pressable(say("levy_take"), () => fitting() && send(fitting().command), { class: "act main", "data-act": "levy" });

  function choose(seat) {
    if (chosen.includes(seat)) chosen.splice(chosen.indexOf(seat), 1);
    else if (choices.some(({ command }) => JSON.stringify(command.seats) === JSON.stringify([...chosen, seat]))) chosen.push(seat);
    show();
  }

  function show() {
    toggles.forEach((toggle, place) => toggle.setAttribute("aria-pressed", String(chosen.includes(seats[place]))));
    sentence.textContent = chosen.length ? say("levy_from", { players: listed(chosen.map(seatName)) }) : say("levy_nobody");
  }

  show();
  return element("fieldset", { class: "levy" }, element("legend", { text: say("levy_whom") }),
    element("div", { class: "acts" }, ...toggles), sentence, element("div", { class: "acts" }, done));
}
