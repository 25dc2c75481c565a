// A new table: against bots at once, or with seats for friends and a link to share; how bots play can be chosen.

import { inLanguage } from "../common/language.js";
import { SentOnce } from "../common/once.js";
import { rulesOf } from "../common/rules.js";
import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { whilePresent } from "./leaving.js";
import { keepKey, keepName, keptName, takeSeat } from "./remembered.js";
import { whenKnown } from "./systems.js";
import { isAboutKeys, showTrouble } from "./trouble.js";

const BOTS = ["Greta", "Hugo", "Ines", "Jonas", "Klara", "Leo", "Mira", "Nils"];
const USUAL_BOT = "greedy";
const USUAL_SIZE = 4;
const KEY = /^fbk_[0-9a-f]{40,48}$/;
const setting = new SentOnce();
let systems = new Map();
let api;

export function beginSetup(asked) {
  api = asked;
  byId("name").value = keptName();
  byId("key").value = api.token;
  if (api.token) showKey(true);
  byId("key-show").addEventListener("click", () => {
    showKey(byId("key-needed").hidden);
    if (!byId("key-needed").hidden) byId("key").focus();
  });
  byId("system").addEventListener("change", offerSizes);
  byId("size").addEventListener("change", offerBots);
  byId("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    setUp(event.submitter?.id === "invite").catch(refuse);
  });
  byId("copy").addEventListener("click", copyInvitation);
  // Who comes back to a page that the browser has kept whole can set up another table.
  const again = ({ persisted }) => persisted && systems.size && wait(false);
  window.addEventListener("pageshow", again, { signal: whilePresent });
  const { bots } = JSON.parse(byId("data").textContent);
  fill("bot", bots.map((bot) => [bot, words[`bot.${bot}`] ?? bot]), USUAL_BOT);
  whenKnown(offerSystems);
}

function offerSystems(known) {
  systems = new Map(known.systems.map((each) => [each.system, each]));
  fill("system", known.systems.map(({ system, title }) => [system, title]), byId("system").value);
  offerSizes();
  for (const name of ["system", "size", "bots", "play-bots", "invite"]) byId(name).disabled = false;
  if (!known.guests) showKey(true);
}

function offerSizes() {
  const { players } = systems.get(byId("system").value);
  const kept = Number(byId("size").value) || USUAL_SIZE;
  showRules();
  fill("size", players.map((count) => [count, count]), players.includes(kept) ? kept : players.includes(USUAL_SIZE) ? USUAL_SIZE : players[0]);
  offerBots();
}

// Whoever reads how one game goes goes on reading with the next.
function showRules() {
  const isOpen = byId("how")?.open;
  byId("how")?.remove();
  const rules = rulesOf(byId("system").value);
  if (!rules) return;
  rules.open = Boolean(isOpen);
  byId("more").before(rules);
}

// At a table for friends at least one seat stays free for them.
function offerBots() {
  const most = Number(byId("size").value) - 2;
  const counts = Array.from({ length: most + 1 }, (_, count) => [count, count]);
  fill("bots", counts, Math.min(Number(byId("bots").value) || 0, most));
}

function fill(id, choices, chosen) {
  byId(id).replaceChildren(...choices.map(([value, text]) => element("option", { value, text })));
  if (chosen !== "") byId(id).value = String(chosen);
}

function showKey(isShown) {
  byId("key-needed").hidden = !isShown;
  byId("key-show").setAttribute("aria-expanded", String(isShown));
}

async function setUp(isForFriends) {
  showTrouble(byId("setup-trouble"), null);
  const name = byId("name").value.trim() || say("guest_name");
  const key = byId("key-needed").hidden ? "" : byId("key").value.trim();
  if (key && !KEY.test(key)) return refuse({ code: "bad_token" });
  api.token = key;
  const size = Number(byId("size").value);
  const bots = isForFriends ? Number(byId("bots").value) : size - 1;
  const clock = byId("clock").value;
  wait(true);
  const others = [...Array(size - 1 - bots).fill(null), ...botsBeside(name, bots)];
  const table = {
    system: byId("system").value,
    visibility: byId("listed").checked ? "public" : "unlisted",
    ...(clock ? { clock } : {}),
  };
  const answer = await setting.send([table, name, others, key], ({ key: once, seed }) =>
    api.ask("POST", "/v1/games", { body: { ...table, seats: [{ name, seed }, ...others] }, key: once }));
  keepKey(key);
  keepName(byId("name").value.trim());
  const own = answer.seats.find((each) => each.token);
  const place = takeSeat(answer.game, own.seat, own.token);
  if (!isForFriends) return location.assign(inLanguage(place));
  wait(false);
  return showInvitation(answer.game, place);
}

function botsBeside(name, count) {
  const taken = name.toLowerCase();
  const bot = byId("bot").value;
  return BOTS.filter((each) => each.toLowerCase() !== taken).slice(0, count).map((each) => ({ name: each, kind: "bot", bot }));
}

function refuse(error) {
  wait(false);
  if (isAboutKeys(error)) {
    showKey(true);
    byId("key").focus();
  }
  showTrouble(byId("setup-trouble"), error);
}

function wait(isWaiting) {
  byId("setup").setAttribute("aria-busy", String(isWaiting));
  for (const name of ["play-bots", "invite"]) byId(name).disabled = isWaiting;
}

function showInvitation(game, place) {
  byId("invitation").value = `${location.origin}/#sit=${game}`;
  byId("to-seat").href = place;
  byId("copied").textContent = "";
  byId("invited").hidden = false;
  byId("invited").focus();
}

async function copyInvitation() {
  const link = byId("invitation");
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    byId("copied").textContent = say("link_copied");
  } catch {
    // Where the page came over plain HTTP a browser lets nobody write there: the link is selected, to be copied by hand.
    byId("copied").textContent = say("link_selected");
  }
}
