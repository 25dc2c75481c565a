// Two games, or two places of one, side by side: each in a frame, with the page that it has by itself.

import { beginLanguages } from "../common/named.js";
import { language, say } from "../common/words.js";
import { byId, element } from "../table/elements.js";

const SIDES = ["a", "b"];
const panes = new Map();
let isTogether = false;

function begin() {
  const named = new URLSearchParams(location.hash.slice(1));
  byId("panes").replaceChildren(...SIDES.map((side) => pane(side, named.get(side) ?? "")));
  beginLanguages(byId("languages"), language);
  const together = byId("together");
  together.addEventListener("change", () => { isTogether = together.checked; });
  byId("copy-link").addEventListener("click", copy);
  window.addEventListener("message", hear);
  window.addEventListener("hashchange", follow);
}

function pane(side, shown) {
  const frame = element("iframe", { title: say("compare_frame", { side: side.toUpperCase() }) });
  const field = element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 300, value: shown.split("#")[0] });
  const form = element("form", { class: "row" },
    element("label", { class: "labelled" }, element("span", { text: say("compare_game", { side: side.toUpperCase() }) }), field),
    element("button", { text: say("compare_show") }),
    element("a", { class: "alone", target: "_top", text: say("compare_alone") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(side, /(?:\/games\/)?([0-9a-z-]+(?:#.*)?)\s*$/.exec(field.value.trim())?.[1] ?? "");
  });
  panes.set(side, { frame, field, form, shown: "", game: "", version: 0 });
  const made = element("section", { class: "pane", "aria-label": say("compare_frame", { side: side.toUpperCase() }) }, form, frame);
  if (shown) show(side, shown);
  return made;
}

// Shows a game, at the place that its fragment names. What a frame showed before is no page to go back to: the address
// of this one would not follow it there.
function show(side, shown) {
  const one = panes.get(side);
  const [game, named = ""] = shown.split(/#(.*)/s);
  if (!game) return;
  const fragment = withoutToken(named);
  const address = addressOf(game, `#${fragment}`);
  if (one.frame.contentWindow) one.frame.contentWindow.location.replace(address);
  else one.frame.src = address;
  one.shown = fragment ? `${game}#${fragment}` : game;
  one.field.value = game;
  one.form.querySelector(".alone").href = address;
  nameInAddress();
}

// Frames show a game with the seat that this browser keeps, and take none from an address, which is copied and shared.
function withoutToken(fragment) {
  const named = new URLSearchParams(fragment);
  if (!named.has("token")) return fragment;
  named.delete("token");
  return String(named);
}

const addressOf = (game, fragment) => `/games/${encodeURIComponent(game)}${location.search}${fragment}`;

// What a frame says of where one stands in which game. Only what the reader does there moves the other side.
function hear({ data, origin, source }) {
  const found = [...panes].find(([, { frame }]) => frame.contentWindow === source);
  const isPlace = typeof data?.fragment === "string" && typeof data.game === "string";
  if (origin !== location.origin || !found || !isPlace) return;
  const [side, one] = found;
  const { game, version, isAnswer } = data;
  const steps = game === one.game ? version - one.version : 0; // another game has just been opened
  Object.assign(one, { shown: `${game}${data.fragment}`, game, version });
  one.form.querySelector(".alone").href = addressOf(game, data.fragment);
  nameInAddress();
  if (isTogether && !isAnswer && steps) move(SIDES.find((each) => each !== side), steps);
}

function move(side, steps) {
  panes.get(side).frame.contentWindow.postMessage({ steps }, location.origin);
}

const fragment = () => `#${new URLSearchParams(SIDES.map((side) => [side, panes.get(side)?.shown ?? ""]))}`;

function nameInAddress() {
  history.replaceState(null, "", fragment());
}

function follow() {
  const named = new URLSearchParams(location.hash.slice(1));
  for (const side of SIDES) if ((named.get(side) ?? "") !== panes.get(side).shown) show(side, named.get(side) ?? "");
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    byId("copied").textContent = say("share_copied");
  } catch {
    byId("copied").textContent = say("share_by_hand");
  }
}

begin();
