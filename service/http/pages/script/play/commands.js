// What this seat may send, sorted: what the turn asks for, what is open at any moment, answers, and the rest.

import { now, ownHand, part, revealed } from "./now.js";

const TURN = [
  "choose_fan", "give_revealed", "give_from_hand", "accept_gift", "counter_gift", "offer_gift", "plant", "plant_aside", "plant_revealed",
  "discard_revealed", "reveal", "discard", "keep_bonus", "discard_bonus", "levy", "draw", "ready", "end_trading", "come_back",
];
const ANY_TIME = ["move_miss", "claim_bonus", "harvest", "swap_hand", "buy_field"];
const ELSEWHERE = new Set([
  "offer", "counter", "accept", "decline", "withdraw", "say", "resign", "offer_end", "ask_take_back",
  "accept_end", "decline_end", "agree_take_back", "decline_take_back",
]);

const all = () => now.scene?.commands ?? [];

// The choices of these types: each a text and a command, which is complete or has a form.
export const choices = (...types) => all().filter(({ command }) => types.includes(command.type));
export const formOf = (type) => choices(type)[0]?.command.form;

// The choices of the turn and of any moment, by their types, the obvious ones first. What no list names belongs to the turn.
export function turnGroups() {
  const other = all().map(({ command }) => command.type).filter((type) => ![...TURN, ...ANY_TIME].includes(type) && !ELSEWHERE.has(type));
  return groups([...TURN, ...new Set(other)]);
}

export const anyTimeGroups = () => groups(ANY_TIME);

function groups(types) {
  return types.map((type) => ({ type, choices: choices(type) })).filter((group) => group.choices.length);
}

export function isListed(command) {
  const sought = JSON.stringify(command);
  return all().some((choice) => JSON.stringify(choice.command) === sought);
}

// The acceptance of an offer: ready to send, or a form where there is a choice of cards; undefined for who cannot pay.
export function acceptanceOf(offer) {
  return choices("accept").find(({ command }) => (command.form ?? command).offer === offer);
}

export const choiceAbout = (type, offer) => choices(type).find(({ command }) => command.offer === offer);

// Where a command begins on the table and where it leads, as places of the table.
export function placesOf(command) {
  const own = now.seat;
  const field = `field:${command.owner ?? own}:${command.field}`;
  switch (command.type) {
    case "plant": return { from: frontOfHand(), to: [field] };
    case "plant_aside": return { from: [`aside:${own}:${command.card}`], to: [field] };
    case "plant_revealed": return { from: [lyingAt(command.card)], to: [field] };
    case "discard_revealed": return { from: [lyingAt(command.card)], to: ["pile:discard"] };
    case "discard": return { from: [`hand:${own}:${command.card}`], to: ["pile:discard"] };
    case "claim_bonus": return { from: [`bonus:${own}`], to: [field] };
    case "discard_bonus": return { from: [`bonus:${own}`], to: [] };
    case "harvest": case "move_miss": return { from: [field], to: [] };
    case "reveal": case "draw": return { from: ["pile:draw"], to: [] };
    case "buy_field": return { from: [`coins:${own}`], to: [] };
    case "swap_hand": case "choose_fan": return { from: [`fan:${command.fan}`], to: [] };
    case "levy": return { from: command.seats.length === 1 ? [`coins:${command.seats[0]}`] : [], to: [] };
    case "give_revealed": return { from: [`revealed:${command.card}`], to: [] };
    case "give_from_hand": return { from: [`hand:${own}:${command.card}`], to: [] };
    case "accept_gift": return { from: ["gifts"], to: [] };
    case "offer_gift": case "counter_gift": return { from: cardsOfKey(command.variety), to: [] };
    default: return { from: [], to: [] };
  }
}

function frontOfHand() {
  return ownHand().slice(0, 1).map(([number]) => `hand:${now.seat}:${number}`);
}

// A card that is planted by its number lies revealed, or aside.
function lyingAt(number) {
  const isRevealed = revealed().some(([each]) => each === number);
  return isRevealed ? `revealed:${number}` : `aside:${now.seat}:${number}`;
}

function cardsOfKey(key) {
  const card = now.scene.card_keys.indexOf(key);
  const open = part("active") === now.seat ? revealed() : [];
  return [
    ...ownHand().filter(([, each]) => each === card).map(([number]) => `hand:${now.seat}:${number}`),
    ...open.filter(([, each]) => each === card).map(([number]) => `revealed:${number}`),
  ];
}

// Whether a gift is a bluff: its giver has no such bean.
export const isBluff = ({ variety }) => variety !== undefined && cardsOfKey(variety).length === 0;

// What a command means now, where the same words could soon mean something else: which card, which beans.
export function meaningOf(command) {
  switch (command.type) {
    case "plant": return [frontOfHand(), part(`${now.seat}.fields`)[command.field]];
    case "harvest": return part(`${now.seat}.fields`);
    case "swap_hand": return [part("fans"), ownHand()];
    case "accept_gift": return part("gifts");
    case "agree_take_back": return now.scene.table.take_back;
    case "accept_end": return now.scene.table.end_offer;
    default: return undefined;
  }
}
