// A form in which a note, a reply or an edit is written.

import { say, words } from "../common/words.js";
import { element, shortened } from "../table/elements.js";
import { place } from "../table/place.js";
import { data, sentenceAt, tableAt } from "../table/record.js";
import { alertLine, attempt } from "./asking.js";
import { button, labelled } from "./fields.js";
import { fieldOfMarks } from "./marks.js";
import { bringUp } from "./panels.js";
import { MOVES, OBSERVATIONS, OF_SEATS, POSITIONS } from "./vocabulary.js";

const LONGEST = 8000; // characters of a comment
const NONE = "";

// A form that begins with what is said already. `send` gets what it says, and whether it is to be published; `close` is
// called when it is done with. `version` is what it is about, `title` says so.
export function editor({ title, version, says = {}, send, close }) {
  const comment = element("textarea", { rows: 5, maxlength: LONGEST, "aria-describedby": "comment-hint" });
  comment.value = says.comment ?? "";
  const move = chooser(MOVES, says.move);
  const position = chooser(POSITIONS, says.position?.glyph);
  const seats = seatBoxes(version, says.position?.seats ?? []);
  const observations = boxes(OBSERVATIONS, says.observations ?? []);
  const tags = element("input", { type: "text", value: (says.tags ?? []).join(", "), maxlength: 400, autocomplete: "off" });
  const marks = fieldOfMarks(says);
  const variations = boxesOf((says.variations ?? []).map((token) => [token, `${token.slice(0, 16)}…`]), says.variations ?? []);
  const line = alertLine();
  const showSeats = () => { seats.hidden = !OF_SEATS.includes(position.value); };
  position.addEventListener("change", showSeats);
  showSeats();

  // Some browsers give a pressed button no focus: then the form has it, and what is under the finger stays there.
  const form = element("form", { class: "editor", tabindex: -1 },
    element("h3", { text: title }),
    element("p", { class: "quiet told", dir: "auto", text: shortened(sentenceAt(version, place.perspective) ?? "") }),
    labelled("note_comment", comment),
    element("p", { class: "quiet hint", id: "comment-hint", text: say("note_markdown") }),
    element("div", { class: "pair" }, labelled("note_move", move), labelled("note_position", position)),
    seats,
    marks.element,
    folded("note_observations", observations),
    labelled("note_tags", tags),
    (says.variations ?? []).length ? folded("note_branches", variations, true) : null,
    line,
    element("div", { class: "row" },
      element("button", { class: "main", name: "publish", text: say("note_publish") }),
      element("button", { name: "draft", text: say("note_save_draft") }),
      button("note_cancel", finish)),
  );
  function finish() {
    marks.end();
    close();
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const publishes = event.submitter?.name !== "draft";
    const focused = document.activeElement;
    form.inert = true;
    const written = await attempt(line, () => send(content(), publishes).then(() => true));
    form.inert = false;
    // Whoever has opened another form meanwhile keeps it.
    if (written && form.isConnected) finish();
    // What is inert loses the focus: who was refused goes on where they were.
    else if (form.contains(focused) && document.activeElement === document.body) focused.focus();
  });
  const content = () => said({
    comment: comment.value.trim(),
    move: move.value,
    position: position.value && { glyph: position.value, ...(seats.hidden ? {} : { seats: chosen(seats).map(Number) }) },
    observations: chosen(observations),
    ...marks.value(),
    tags: tags.value.split(",").map((tag) => tag.trim()).filter(Boolean),
    variations: chosen(variations),
  });
  const begunWith = JSON.stringify(content());
  const focus = () => {
    comment.focus();
    bringUp(form);
  };
  return { form, focus, end: () => form.isConnected && finish(), isChanged: () => JSON.stringify(content()) !== begunWith };
}

const isSaid = (value) => value && (!Array.isArray(value) || value.length > 0);
const said = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => isSaid(value)));

function folded(key, content, open = false) {
  return element("details", { open: open || content.querySelector("input:checked") !== null },
    element("summary", { text: say(key) }), content);
}

function chooser(glyphs, chosenCode) {
  const options = Object.entries(glyphs).map(([code, sign]) =>
    element("option", { value: code, selected: code === chosenCode, text: `${sign} ${words[`glyph.${code}`]}` }));
  return element("select", {}, element("option", { value: NONE, text: "–" }), ...options);
}

const boxes = (glyphs, codes) => boxesOf(Object.entries(glyphs).map(([code, sign]) => [code, `${sign} ${words[`glyph.${code}`]}`]), codes);

function boxesOf(choices, codes) {
  return element("div", { class: "boxes" }, ...choices.map(([value, text]) =>
    element("label", {}, element("input", { type: "checkbox", value, checked: codes.includes(value) }), element("span", { text }))));
}

function seatBoxes(version, seats) {
  const table = tableAt(Math.min(version, data.last), "open");
  const choices = [];
  for (let seat = 0; table.has(`${seat}.who`); seat += 1) choices.push([String(seat), table.get(`${seat}.who`)]);
  const made = boxesOf(choices, seats.map(String));
  made.prepend(element("span", { class: "label", text: say("note_who") }));
  return made;
}

const chosen = (group) => [...group.querySelectorAll("input:checked")].map((each) => each.value);
