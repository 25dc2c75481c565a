// Where one plays: under the middle of the table, and at the bottom of a phone. All of it follows the newest table.

import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { go, place } from "../table/place.js";
import { last } from "../table/record.js";
import { drawActs } from "./acts.js";
import { pressable } from "./buttons.js";
import { beginClocks, drawClocks } from "./clocks.js";
import { choices, formOf } from "./commands.js";
import { composer, drawComposer, reviseDraft } from "./composer.js";
import { drawMore } from "./more.js";
import { isActive, isAwaited, listed, now, part, seatName } from "./now.js";
import { drawOffers } from "./offers.js";
import { drawQuestions } from "./questions.js";
import { result } from "./result.js";
import { forgetRefusal, sendAgain, sending } from "./sending.js";
import { drawTalk, talk } from "./talk.js";

const parts = {};

export function beginPanel() {
  parts.title = element("h2", { id: "play-title", tabindex: -1 });
  parts.hint = element("p", { id: "play-hint" });
  parts.fold = pressable(say("fold"), fold, { id: "play-fold", "aria-expanded": "true", "aria-controls": "play-content" }, element("span", { text: "⌄", "aria-hidden": "true" }));
  parts.clocks = element("ul", { id: "play-clocks", hidden: true });
  parts.spoken = element("p", { class: "unseen", role: "status" });
  parts.refusal = element("div", { id: "refusal", role: "alert" });
  parts.dropped = element("p", { id: "dropped", class: "notice", role: "status" });
  parts.past = element("div", { id: "in-the-past", class: "question", hidden: true },
    element("p", { text: say("in_the_past") }), pressable(say("back_to_now"), () => go({ version: last, follows: true }), { class: "act main" }));
  parts.questions = element("div", { id: "questions", hidden: true });
  parts.acts = element("div", { id: "turn-acts" });
  parts.composer = composer(draw);
  parts.offerList = element("ul", { id: "offer-list" });
  parts.offers = element("section", { id: "offers", "aria-labelledby": "offers-title", hidden: true },
    element("h3", { id: "offers-title", text: say("open_offers") }), parts.offerList);
  parts.anyTime = element("div", { id: "any-time", role: "group", "aria-label": say("any_time"), hidden: true });
  parts.talk = talk();
  parts.more = element("div", { class: "acts" });
  parts.disclosure = element("details", { id: "more" }, element("summary"), parts.more);
  parts.content = element("div", { id: "play-content" },
    parts.refusal, parts.dropped, parts.questions, parts.acts, parts.composer, parts.offers, parts.anyTime, parts.talk, parts.disclosure);
  parts.panel = element("section", { id: "playing", "aria-labelledby": "play-title" },
    element("header", {}, element("div", {}, parts.title, parts.hint), parts.clocks, parts.fold), parts.past, parts.spoken, parts.content);
  byId("middle").after(parts.panel);
  // Keys of the panel are its own: an arrow in a field must not lead into the past.
  parts.panel.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.classList.add("is-playing");
  // On a phone the panel is a sheet that stands on the footer, whose height depends on what it says.
  const footer = document.querySelector("footer");
  new ResizeObserver(() => document.body.style.setProperty("--footer", `${footer.offsetHeight}px`)).observe(footer);
  beginClocks(parts.clocks, parts.spoken);
}

function fold() {
  const isOpen = parts.fold.getAttribute("aria-expanded") === "true";
  parts.fold.setAttribute("aria-expanded", String(!isOpen));
  drawPlace();
}

export function draw() {
  const hadFocus = parts.panel.contains(document.activeElement);
  const dropped = reviseDraft();
  if (dropped) parts.dropped.textContent = dropped;
  parts.title.textContent = title();
  parts.hint.textContent = hint();
  parts.panel.classList.toggle("is-awaited", isAwaited());
  drawQuestions(parts.questions);
  drawActs(parts.acts, parts.anyTime);
  drawComposer();
  drawOffers(parts.offers, parts.offerList);
  drawTalk();
  drawMore(parts.more);
  // While the game is held up there is nothing to take back and nobody leaves.
  parts.disclosure.firstChild.textContent = say(parts.more.children.length > 1 ? "more" : "more_dispute");
  drawClocks(parts.clocks, parts.spoken);
  drawPlace();
  // In a duplicate round a game has ended before its secret is open: there is nothing more to do in it.
  if (now.scene.status === "ended" || now.scene.status === "finished") drawEnd();
  // What was pressed has gone with what it did: the reader goes on at the heading, not at the top of the page.
  if (hadFocus && document.activeElement === document.body) parts.title.focus({ preventScroll: true });
}

function drawEnd() {
  if (byId("result")) return;
  parts.panel.before(result());
  parts.panel.hidden = true;
  document.body.classList.remove("is-playing");
  byId("result-title").focus();
}

function title() {
  const { status, table } = now.scene;
  if (status === "open") return say("waiting_for_players");
  if (table.paused_by.length || table.take_back) return say("held_up_title");
  if (isAwaited()) return isActive() ? say("your_turn") : say("you_are_awaited");
  return say("waiting_for", { players: listed((part("waiting") ?? []).map(seatName)) });
}

// What there is to do, for whoever plays for the first time.
function hint() {
  const { phase } = now.scene;
  if (phase === "trade" && formOf("offer")) return say(isActive() ? "hint_trade" : "hint_trade_other");
  if (!isAwaited()) return "";
  if (phase === "plant" && choices("plant").length && choices("reveal").length) return say("hint_plant_second");
  return words[`hint_${phase}`] === undefined ? "" : say(`hint_${phase}`);
}

// Whoever looks at the past sees another table than the one that the acts are about.
export function drawPlace() {
  const isNow = place.version === last;
  parts.past.hidden = isNow;
  parts.content.hidden = !isNow || parts.fold.getAttribute("aria-expanded") === "false";
  document.body.classList.toggle("is-now", isNow);
}

export function drawSending() {
  parts.panel.setAttribute("aria-busy", String(sending.parcel !== undefined));
  const { refusal } = sending;
  if (sending.parcel) parts.dropped.textContent = "";
  parts.refusal.replaceChildren(...(refusal ? [
    element("p", {}, element("b", { text: refusal.text }), ...(refusal.detail ? [" ", refusal.detail] : [])),
    ...(refusal.section ? [element("p", { class: "quiet", text: say("rule", { section: refusal.section }) })] : []),
    element("div", { class: "acts" },
      ...(refusal.parcel ? [pressable(say("send_again"), sendAgain, { class: "act main" })] : []),
      pressable(say("close"), forgetRefusal, { class: "act quiet-act" })),
  ] : []));
  if (!refusal) return;
  parts.refusal.scrollIntoView({ block: "nearest" });
  parts.panel.scrollTop = 0; // where the panel scrolls, its heading would stand before what it says
}
