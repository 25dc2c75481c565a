// The marks and arrows of a note that is being written.

import { say } from "../common/words.js";
import { showArrows } from "../table/arrows.js";
import { byId, element } from "../table/elements.js";
import { followers } from "../table/place.js";
import { button } from "./fields.js";
import { beginMarking, endMarking, nameOfPlace } from "./marking.js";
import { COLOURS } from "./vocabulary.js";

// A group of fields for marks and arrows, with what they are, and how marking ends.
export function fieldOfMarks(says) {
  const marks = (says.marks ?? []).map(({ on, colour }) => ({ on, colour: colour ?? COLOURS[0] }));
  const arrows = (says.arrows ?? []).map(({ start, end, colour }) => ({ start, end, colour: colour ?? COLOURS[0] }));
  const colour = element("select", { "aria-label": say("mark_colour") },
    ...COLOURS.map((each) => element("option", { value: each, text: say(`colour_${each}`) })));
  const list = element("ul", { class: "marks" });
  const hint = element("span", { role: "status" });
  // On a phone the form is far from the table: what to do, and the way back, stand there.
  const bar = element("div", { id: "marking" }, hint, button("mark_done", () => { const pressed = begun(); end(); pressed?.focus(); }, { class: "main" }));
  const begun = () => [mark, arrow].find((each) => each.getAttribute("aria-pressed") === "true");
  const mark = button("mark_places", () => toggle(mark, () => say("mark_tap"), addMark), { "aria-pressed": "false" });
  const arrow = button("mark_arrow", () => toggle(arrow, () => say("mark_tap_start"), addArrow), { "aria-pressed": "false" });
  let start = null;

  function toggle(pressed, prompt, taken) {
    const begins = pressed.getAttribute("aria-pressed") === "false";
    end();
    if (!begins) return;
    pressed.setAttribute("aria-pressed", "true");
    hint.textContent = prompt();
    byId("left").prepend(bar);
    beginMarking(taken);
    bar.scrollIntoView({ block: "nearest" });
  }

  function end() {
    endMarking();
    bar.remove();
    start = null;
    for (const each of [mark, arrow]) each.setAttribute("aria-pressed", "false");
  }

  function addMark(on) {
    const place = marks.findIndex((each) => each.on === on && each.colour === colour.value);
    if (place >= 0) marks.splice(place, 1);
    else marks.push({ on, colour: colour.value });
    draw();
  }

  function addArrow(on) {
    if (start === null) {
      start = on;
      hint.textContent = say("mark_tap_end", { start: nameOfPlace(on) });
    } else if (on !== start) {
      arrows.push({ start, end: on, colour: colour.value });
      start = null;
      hint.textContent = say("mark_tap_start");
      draw();
    }
  }

  function draw() {
    const item = (all, each, text) => element("li", {},
      element("span", { class: `swatch marked-${each.colour}`, "aria-hidden": "true" }),
      element("bdi", { text: `${text} (${say(`colour_${each.colour}`)})` }),
      button("mark_remove", () => { all.splice(all.indexOf(each), 1); draw(); }, { "aria-label": say("mark_remove_this", { place: text }), text: "×" }));
    list.replaceChildren(
      ...marks.map((each) => item(marks, each, nameOfPlace(each.on))),
      ...arrows.map((each) => item(arrows, each, `${nameOfPlace(each.start)} → ${nameOfPlace(each.end)}`)));
    showDraft(marks, arrows);
  }

  draw();
  return {
    element: element("fieldset", { class: "marking" }, element("legend", { text: say("mark_title") }),
      element("div", { class: "row" }, mark, arrow, colour), list),
    value: () => ({ marks, arrows }),
    end: () => { end(); showDraft([], []); },
  };
}

let drafted = []; // places with their colours
let draftedArrows = [];
followers.push(paint);

// What is being marked is seen at once, and after every step.
function showDraft(marks, arrows) {
  drafted = [...marks.map(({ on, colour }) => [on, colour]), ...arrows.flatMap(({ start, end, colour }) => [[start, colour], [end, colour]])];
  draftedArrows = arrows.map(({ start, end, colour }) => [start, end, colour]);
  paint();
}

function paint() {
  showArrows("drafted", draftedArrows);
  for (const each of document.querySelectorAll(".drafted")) each.classList.remove("drafted", ...COLOURS.map((colour) => `drafted-${colour}`));
  for (const place of byId("table").querySelectorAll("[data-place]")) {
    const found = drafted.find(([on]) => on === place.dataset.place);
    if (found) place.classList.add("drafted", `drafted-${found[1]}`);
  }
}
