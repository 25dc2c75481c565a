// What happened, sentence by sentence. Only the rows around the reader are there; more come when one scrolls to them.

import { unseen } from "./cards.js";
import { byId, element, icon } from "./elements.js";
import { search } from "./matches.js";
import { notesAt } from "./notes.js";
import { go, place } from "./place.js";
import { countUpTo, data, labels, last, sentenceAt, starts } from "./record.js";

const ROWS = Math.max(20, Math.ceil(screen.height / 30)); // before and after the reader: more than a window shows, of one line each
const list = byId("sentences");
const shown = { from: 1, to: 0 };

function row(version) {
  const beginsTurn = starts.turn[countUpTo(starts.turn, version) - 1] === version;
  const matched = search.matches.length && search.matches[countUpTo(search.matches, version) - 1] === version;
  const kinds = [beginsTurn && "begins-turn", matched && "matched", version > data.origin && "in-branch"].filter(Boolean).join(" ");
  const button = element("button", { type: "button", "data-version": version, tabindex: -1, class: kinds },
    element("span", { class: "number", text: version }),
    element("span", { class: "told", dir: "auto", text: sentenceAt(version, place.perspective) }),
  );
  if (notesAt.has(version)) button.append(element("span", { class: "has-note", title: labels.annotated }, icon("note"), unseen(labels.annotated)));
  return element("li", {}, button);
}

function rows(from, to) {
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => row(from + index));
}

export function drawLog({ turned, resized }) {
  const { version } = place;
  const outside = version < shown.from || version > shown.to;
  if (turned || outside) {
    shown.from = Math.max(1, version - ROWS);
    shown.to = Math.min(last, version + ROWS);
    list.replaceChildren(...rows(shown.from, shown.to));
  }
  for (const button of list.querySelectorAll("[aria-current]")) {
    button.removeAttribute("aria-current");
    button.tabIndex = -1;
  }
  const current = list.querySelector(`[data-version="${version}"]`);
  if (!current) return;
  current.setAttribute("aria-current", "step");
  current.tabIndex = 0;
  const above = current.offsetTop - list.scrollTop;
  if (above < 0 || above + current.offsetHeight > list.clientHeight || outside || turned || resized) {
    list.scrollTop = current.offsetTop - (list.clientHeight - current.offsetHeight) / 2;
  }
}

// Adds rows where the reader has come near to an end of those that are there.
export function extendLog() {
  if (list.scrollTop < 300 && shown.from > 1) {
    const from = Math.max(1, shown.from - ROWS);
    const height = list.scrollHeight;
    list.prepend(...rows(from, shown.from - 1));
    list.scrollTop += list.scrollHeight - height;
    shown.from = from;
  }
  if (list.scrollHeight - list.scrollTop - list.clientHeight < 300 && shown.to < last) {
    const to = Math.min(last, shown.to + ROWS);
    list.append(...rows(shown.to + 1, to));
    shown.to = to;
  }
}

export function beginLog() {
  new ResizeObserver(() => drawLog({ turned: false, resized: true })).observe(list);
  list.addEventListener("scroll", extendLog, { passive: true });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go({ version: Number(button.dataset.version) });
  });
}
