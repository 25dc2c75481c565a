// The panel in which one reads what is said of a moment, and writes: notes, replies, edits; drafts until published.

import { sendingOnce } from "../common/once.js";
import { redraw } from "../common/redrawing.js";
import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { noteParts } from "../table/notes.js";
import { place } from "../table/place.js";
import { nameOf } from "../table/record.js";
import { forgetKey, hasKey, keepKey } from "./access.js";
import { book, bookFollowers, goesOn, isOwn, ownSet, post, readBook } from "./annotations.js";
import { alertLine, attempt } from "./asking.js";
import { canBranch, openBranch } from "./branches.js";
import { delivery } from "./delivery.js";
import { editor } from "./editor.js";
import { button, labelled } from "./fields.js";
import { addPanel, arrangeNotes, openPanel } from "./panels.js";

const area = element("div", { id: "editor" });
const drafts = element("div", { id: "drafts" });
const access = element("div", { id: "access" });
const section = element("section", { "aria-label": say("writing"), class: "panel" }, area, drafts, access);
export const actionsOfPublished = []; // what a page offers beneath each published note: functions from the note to an element
const withdrawals = new Map(); // ways to send, by the note: whoever presses again sends only what is missing
let opened; // the form that is open
let withBranch = () => undefined; // leads back from a branch to the game; undefined where one is there

export function beginWriting() {
  addPanel("notes", section, drawWriting);
  noteParts.push(actionsOf);
  bookFollowers.push(drawWriting, arrangeNotes);
  window.addEventListener("beforeunload", (event) => { if (isHalfWritten()) event.preventDefault(); });
}

// Whether there is a note, or the title of a draft, that is not saved.
export const isHalfWritten = () => Boolean(opened?.isChanged()) || changedTitle() !== undefined;

// Whether a note is on its way: what is refused is still there to be mended.
export const isSending = () => Boolean(opened?.form.inert);

const titles = () => [...drafts.querySelectorAll("input")];
const changedTitle = () => titles().find((each) => each.value !== each.defaultValue);

// Leaves what is being written, since it is about another game.
export function endWriting() {
  opened?.end();
  for (const each of titles()) each.value = each.defaultValue;
}

// Leads to what is half written.
export function showHalfWritten() {
  openPanel("notes");
  if (opened) opened.focus();
  else changedTitle()?.focus();
}

// `leave` goes back to the game where the reader wants to write while they see a branch, and gives the branch's token.
export function letBranchesLeave(leave) {
  withBranch = leave;
}

function drawWriting() {
  arrangeNotes();
  if (!area.childElementCount) drawBegin();
  drawDrafts();
  drawAccess();
}

function drawBegin() {
  if (book.owner === null) return;
  area.replaceChildren(button("note_write", () => writeNote(), { class: "main", id: "write" }));
}

// Opens the form for a note about where one stands, or about where the branch that one sees begins.
export function writeNote(says = {}) {
  if (!mayClose()) return;
  const token = withBranch();
  openPanel("notes");
  const { version } = place;
  const kept = token ? { ...says, variations: [token] } : says;
  openEditor({ title: say("note_about", { version }), version, says: kept }, (content) => ({ kind: "note", version, ...content, ...goOn() }));
}

// One goes on with the set that one has; what is a draft is replied to in its own.
function goOn(preferred) {
  const found = ownSet(preferred);
  return found ? { set: found.set } : {};
}

function openEditor(about, entryOf) {
  const deliver = delivery(entryOf);
  // While it is sent no other form is opened: what is refused is still there to be mended.
  const send = async (content, publishes) => {
    byId("notes").inert = true;
    try {
      await deliver(content, publishes);
    } finally {
      byId("notes").inert = false;
    }
  };
  const close = () => {
    opened = undefined;
    area.replaceChildren();
    drawWriting();
    byId("write")?.focus();
  };
  opened?.end();
  opened = editor({ ...about, send, close });
  area.replaceChildren(opened.form);
  opened.focus();
}

// Whether the form that is open can give its place to another one: never while it is sent, and with what somebody has
// written only if they say so.
export function mayClose() {
  const mayGo = () => !isSending() && (!opened.isChanged() || window.confirm(say("note_leave_sure")));
  if (!opened || mayGo()) return true;
  showHalfWritten();
  return false;
}

// What can be done with a note, beneath it; not with that of an exported record.
function actionsOf(note) {
  if (!note.of) return null;
  const { set, number, says } = note.of;
  const line = alertLine();
  const { version } = note;
  const reply = () => openEditor({ title: say("note_reply_to", { author: note.author }), version },
    (content) => ({ kind: "reply", to: { set, number }, ...content, ...goOn(set) }));
  const edit = () => openEditor({ title: say("note_edit_title", { version }), version, says },
    (content) => ({ kind: "edit", set, of: number, ...content }));
  const withdraw = async () => {
    if (!window.confirm(say("note_withdraw_sure"))) return;
    const named = `${set}/${number}`;
    if (!withdrawals.has(named)) withdrawals.set(named, sendingOnce());
    const once = withdrawals.get(named);
    // The notes are drawn anew once they are read: what is refused before stands beneath this one.
    await attempt(line, async () => {
      await post({ kind: "withdrawal", set, of: number }, once);
      if (!isDraft) await post({ kind: "publication", set }, once);
      await readBook();
    });
  };
  const isDraft = !isPublished(set, number);
  const inPanel = (action) => () => { openPanel("notes"); if (mayClose()) action(); };
  return element("div", { class: "actions" },
    isDraft ? element("span", { class: "badge waits", text: say("note_draft") }) : null,
    ...(canBranch() ? note.branches ?? [] : []).map((token) => button("branch_open", () => attempt(line, () => openBranch(token)))),
    book.owner === null ? null : button("note_reply", inPanel(reply)),
    ...(isOwn(set) ? [button("note_edit", inPanel(edit)), button("note_withdraw", withdraw)] : []),
    ...(isDraft ? [] : actionsOfPublished.map((offered) => offered(note))),
    line);
}

const isPublished = (set, number) => number <= (book.sets.get(set)?.published ?? 0);

// Sets of one's own in which something is a draft.
function drawDrafts() {
  const open = [...book.sets.values()].filter((each) => isOwn(each.set) && each.entries > each.published);
  // Only where they are others than before: a title that somebody is writing stays, and is taken along.
  const written = new Map(titles().map((each) => [each.dataset.set, each.value]));
  redraw(drafts, open, () => open.map((each) => {
    const title = element("input", { type: "text", maxlength: 200, value: each.title, autocomplete: "off" });
    title.dataset.set = each.set;
    title.value = written.get(each.set) ?? each.title;
    const line = alertLine();
    const once = sendingOnce();
    const publish = () => attempt(line, async () => {
      const titled = title.value.trim() ? { title: title.value.trim() } : {};
      await post({ kind: "publication", set: each.set, ...titled }, once);
      await readBook();
    });
    return element("div", { class: "draft" },
      element("p", { text: say("drafts_open", { count: each.entries - each.published }) }),
      element("div", { class: "row" }, labelled("drafts_title", title), button("drafts_publish", publish)), line);
  }));
}

const drawAccess = () => redraw(access, book.owner !== null && [ownName(), hasKey()], () => (book.owner === null ? keyForm() : writesAs()));

function writesAs() {
  const line = alertLine();
  const forget = () => {
    if (!mayClose()) return;
    opened?.end();
    forgetKey();
    area.replaceChildren();
    attempt(line, readBook);
  };
  return [element("p", { class: "quiet", text: ownName() }), ...(hasKey() ? [button("key_forget", forget)] : []), line];
}

function keyForm() {
  const line = alertLine();
  const key = element("input", { type: "password", autocomplete: "off", spellcheck: "false", maxlength: 200, required: true });
  const form = element("form", {}, element("p", { text: say("key_why") }),
    element("div", { class: "row" }, labelled("key_name", key), element("button", { text: say("key_use") })), line);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    keepKey(key.value.trim());
    key.blur();
    event.submitter?.blur();
    if ((await attempt(line, () => readBook().then(() => true))) === undefined) forgetKey();
    else byId("write")?.focus();
  });
  return [form];
}

// Under which name readers will see it. That of a key is known once it has written here.
function ownName() {
  const [kind, seat] = book.owner.split(":");
  if (kind === "seat") return say("write_as_seat", { name: nameOf(seat), seat });
  if (kind === "spectator") return say("write_as_spectator");
  const name = [...book.sets.values()].filter(goesOn).at(-1)?.author.name;
  return name ? say("write_as_named", { name }) : say("write_as_key");
}
