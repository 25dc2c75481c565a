// Annotations: what was said about a version, and what is marked on its table.

import { showArrows } from "./arrows.js";
import { byId, element, filled } from "./elements.js";
import { elementsAt } from "./places.js";
import { countUpTo, labels, momentText } from "./record.js";

export const notesAt = new Map();
export let annotated = [];
export const noteParts = []; // what a page adds to each note: functions from the note to an element, or null
const ELEMENTS = new Set(["p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "br", "h4"]);

// Takes what was said about the game, in the place of what was known of it before.
export function takeNotes(notes) {
  notesAt.clear();
  for (const note of notes) notesAt.set(note.version, [...(notesAt.get(note.version) ?? []), note]);
  annotated = [...notesAt.keys()].sort((one, other) => one - other);
  byId("notes").hidden = !annotated.length;
}

export function drawNotes(version) {
  const here = notesAt.get(version) || [];
  const nothing = element("p", { class: "quiet", text: labels.nothing_said });
  byId("notes-here").replaceChildren(...(here.length ? here.map(noteElement) : [nothing]));
  byId("notes-here").scrollTop = 0;
  const number = here.length ? countUpTo(annotated, version) : "–";
  byId("note-count").textContent = filled(labels.moment_of, { number, count: annotated.length });
  for (const each of byId("notes").querySelectorAll("h2 > *")) each.hidden = !annotated.length;
  for (const note of here) (note.places || []).forEach(([where, colour]) => mark(where, colour));
  showArrows("notes", here.flatMap((note) => note.arrows || []));
}

function mark(place, colour) {
  elementsAt(place).forEach((each) => each.classList.add("marked", `marked-${colour}`));
}

function noteElement(note) {
  const glyphs = (note.glyphs || []).map(([sign, meaning]) =>
    element("span", { class: "glyph" }, sign ? element("b", { text: sign }) : null, element("span", { text: meaning })));
  const about = [note.reply && labels.reply, note.edited && labels.edited, momentText(note.at)].filter(Boolean).join(", ");
  const made = element("article", { class: `note depth-${note.depth || 0}` },
    element("header", {}, element("bdi", { class: "author", text: note.author }), element("span", { class: "quiet", text: about })),
    glyphs.length ? element("p", { class: "glyphs" }, ...glyphs) : null,
    note.comment ? element("div", { class: "comment", dir: "auto" }, ...note.comment.map(commentNode)) : null,
    ...listed(labels.marks, note.marks, "mark-name"),
    ...listed(labels.tags, note.tags, "tag"),
    ...listed(labels.branches, note.branches, "branch"),
    ...noteParts.map((part) => part(note)),
  );
  return made;
}

function listed(label, texts, className) {
  if (!texts) return [];
  return [element("p", { class: "listed" }, element("span", { class: "label", text: label }),
    ...texts.map((text) => element("bdi", { class: className, text })))];
}

// A node of a comment: a text, or one of a few harmless elements with nodes in it.
function commentNode(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const [name, ...children] = node;
  return element(ELEMENTS.has(name) ? name : "span", {}, ...children.map(commentNode));
}
