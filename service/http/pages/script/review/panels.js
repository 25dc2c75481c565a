// What stands beside the table: one of several panels, which the address names.

import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { annotated } from "../table/notes.js";
import { followers, further, nameInAddress } from "../table/place.js";

const LOG = "log";
const NARROW = window.matchMedia("(max-width: 52rem)");
const panels = new Map();
let home = LOG; // the one that is open where the address names none
let opened = LOG;
let before = LOG; // the one that was open before this one

// Begins without any; what the address names is opened as soon as it is there.
export function beginPanels(first = LOG) {
  home = opened = first;
  const bar = element("nav", { id: "panels", "aria-label": say("panels") });
  byId("beside").prepend(bar);
  followers.push((change) => panels.get(opened)?.draw(change));
  window.addEventListener("hashchange", () => openPanel(named()));
}

// The log, which every page has.
export const addLog = () => addPanel(LOG, byId("log"), () => undefined);

// Adds a panel: its section, and what draws it whenever it is seen. Its label is the word `panel_` and its name.
export function addPanel(name, section, draw) {
  const button = element("button", { type: "button", "data-panel": name, text: say(`panel_${name}`) });
  button.addEventListener("click", () => {
    openPanel(name);
    showPanel(section);
  });
  byId("panels").append(button);
  section.id ||= `panel-${name}`;
  section.tabIndex = -1;
  if (!section.isConnected) byId("beside").append(section);
  panels.set(name, { button, section, draw });
  openPanel(name === named() ? name : opened);
}

export function openPanel(name) {
  const now = panels.has(name) ? name : home;
  if (now !== opened) before = opened;
  opened = now;
  for (const [each, { button, section }] of panels) {
    button.setAttribute("aria-pressed", String(each === opened));
    section.hidden = each !== opened;
  }
  arrangeNotes();
  if (opened === home) further.delete("panel");
  else further.set("panel", opened);
  nameInAddress();
  panels.get(opened).draw({ turned: true });
}

// On a phone a panel lies below the table, or above it.
function showPanel(section) {
  const notes = byId("notes");
  bringUp(notes.hidden ? section : notes);
}

// Brings what lies below the table up to below the tabs, on a phone; elsewhere it is in sight.
export function bringUp(part) {
  if (NARROW.matches) part.scrollIntoView({ block: "start" });
}

// What is said of a moment stands above the log, too, where something is said of the game at all.
export function arrangeNotes() {
  byId("notes").hidden = !(opened === "notes" || (opened === LOG && annotated.length > 0));
}

// Shows the panel that the address names, for whoever comes by a link: on a phone it would not be in sight.
export function showNamed() {
  if (opened !== home && opened === named()) showPanel(panels.get(opened).section);
}

// The panel that a link shall open, undefined where it need name none: from the panel `away`, the one before it.
export function panelForLink(away) {
  const shown = opened === away ? before : opened;
  return shown === home || shown === away ? undefined : shown;
}

export const isOpen = (name) => opened === name;

const named = () => new URLSearchParams(location.hash.slice(1)).get("panel") ?? home;
