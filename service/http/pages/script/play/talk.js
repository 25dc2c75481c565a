// Table talk: what was said last, and a line to say something.

import { Problem, Unreachable } from "../client/problems.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { formOf } from "./commands.js";
import { keep } from "./kept.js";
import { now, seatName } from "./now.js";
import { send, sending } from "./sending.js";

const SHOWN = 30;
const BEFORE = 200; // events before this window was opened, in which talk is looked for
const said = []; // { version, seat, text }
const parts = {};

export function talk() {
  parts.list = element("ol", { id: "talk-list", tabindex: 0, role: "log", "aria-label": say("talk") });
  parts.input = element("input", { id: "talk-line", autocomplete: "off", "aria-label": say("say_something"), placeholder: say("say_something") });
  parts.form = element("form", { id: "talk-form" }, parts.input, pressable(say("say_it"), speak, { class: "act" }));
  parts.form.addEventListener("submit", (event) => {
    event.preventDefault();
    speak();
  });
  return element("section", { id: "talk", "aria-labelledby": "talk-title" }, element("h3", { id: "talk-title", text: say("talk") }), parts.list, parts.form);
}

async function speak() {
  const text = parts.input.value.trim();
  if (!text || sending.parcel) return;
  // What was typed meanwhile stays.
  await send({ type: "say", text }, () => { if (parts.input.value.trim() === text) parts.input.value = ""; });
}

// Reads what was said before. It stands in the log too: who cannot read it here now can play all the same.
export async function readTalk() {
  const after = Math.max(0, now.scene.version - BEFORE);
  try {
    const { events } = await now.api.get(`/v1/games/${now.game}/events`, { after, limit: BEFORE });
    for (const event of events) hear(event);
    said.sort((one, other) => one.version - other.version);
    drawTalk();
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
  }
}

// Takes an event; whether somebody has said something with it.
export function hear({ entry }) {
  if (entry?.type !== "talked" || said.some(({ version }) => version === entry.version)) return false;
  said.push({ version: entry.version, seat: entry.data.seat, text: entry.data.text });
  return true;
}

export function drawTalk() {
  const form = formOf("say");
  parts.form.hidden = !form;
  if (form) parts.input.maxLength = form.longest;
  const shown = said.slice(-SHOWN);
  const wasBelow = parts.list.scrollTop + parts.list.clientHeight >= parts.list.scrollHeight - 4;
  keep(parts.list, shown.map(({ version, seat, text }) => ({ key: String(version), sign: [seat, text], make: () => element("li", {},
    element("bdi", { class: "who", text: seatName(seat) }), ": ", element("span", { dir: "auto", text })) })));
  parts.list.hidden = !shown.length;
  if (wasBelow) parts.list.scrollTop = parts.list.scrollHeight;
}
