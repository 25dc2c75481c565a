// What is asked of everybody, and what holds the game up: going back, ending together, a case that is open.

import { refusalOf } from "../common/refusals.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { act } from "./acts.js";
import { pressable } from "./buttons.js";
import { choices } from "./commands.js";
import { keep } from "./kept.js";
import { listed, now, seatName, seats } from "./now.js";

const cases = new Map(); // how far each case is that the stream has told of, by its number

// Hears from the stream how a case goes on; answers whether it has.
export function hearCase({ event, data }) {
  if (event !== "dispute" || cases.get(data.dispute) === data.status) return false;
  cases.set(data.dispute, data.status);
  return true;
}

// With each connection the stream tells anew of the cases that are open, and of no other.
export const forgetCases = () => cases.clear();

// Leads to a case at the desk, where its parties say more, accept and appeal.
export function caseLink(number) {
  return element("a", { class: "act", href: `/desk#case=${now.game}/${number}`, text: say("see_case", { number }) });
}

export function drawQuestions(place) {
  const { take_back: back, end_offer: end, paused_by: holding } = now.scene.table;
  const ruled = [...cases].flatMap(([number, status]) => (status === "ruled" ? [number] : []));
  const away = seats()[now.seat]?.away;
  keep(place, [
    ...ruled.map(decided),
    ...holding.filter((number) => !ruled.includes(number)).map(heldUp),
    back && note("take-back", asks(back, say("asks_take_back", { player: seatName(back.seat), version: back.to_version })), choices("agree_take_back", "decline_take_back")),
    end && note("end", asks(end, say(`asks_${end.kind}`, { player: seatName(end.seat) })), choices("accept_end", "decline_end")),
    away && note("away", say("you_are_away"), []),
  ]);
  place.hidden = !place.children.length;
}

// A case for which the game waits, and the wish to go on meanwhile: others may have to wish the same.
function heldUp(number) {
  return { key: `case-${number}`, sign: number, make: () => {
    const answer = element("p", { role: "status" });
    const button = pressable(say("ask_to_go_on"), () => askToGoOn(number, button, answer), { class: "act", "data-act": "go-on" });
    return element("div", { class: "question" }, element("p", { text: say("held_up", { number }) }), element("div", { class: "acts" }, button, caseLink(number)), answer);
  } };
}

// A case that is ruled on, and waits for what the parties say of it.
function decided(number) {
  return { key: `ruled-${number}`, sign: number, make: () => element("div", { class: "question" },
    element("p", { text: say("case_ruled", { number }) }), element("div", { class: "acts" }, caseLink(number))) };
}

async function askToGoOn(number, button, answer) {
  button.disabled = true;
  try {
    await now.api.send("POST", `/v1/games/${now.game}/disputes/${number}/resumption`);
    answer.textContent = say("asked_to_go_on");
  } catch (error) {
    answer.replaceChildren(...refusalOf(error));
    button.disabled = false;
  }
}

function asks({ seat, agreed }, sentence) {
  const others = agreed.filter((each) => each !== seat);
  return others.length ? `${sentence} ${say("agreed_so_far", { players: listed(others.map(seatName)) })}` : sentence;
}

function note(key, sentence, answers) {
  return { key, sign: [sentence, answers], make: () => element("div", { class: "question" },
    element("p", { text: sentence }),
    answers.length ? element("div", { class: "acts" }, ...answers.map((choice, place) => act(choice, place === 0))) : null) };
}
