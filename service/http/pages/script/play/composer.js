// Composing an offer: cards of the own hand, revealed cards, what is wanted for them, to whom. What was chosen stays
// while others play; what has become impossible is taken out, and that is said.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { labels } from "../table/record.js";
import { pressable } from "./buttons.js";
import { clearDraft, draft, draftCommand, draftFollowers, draftForm, fitDraft, isTrade, toggle } from "./draft.js";
import { keep } from "./kept.js";
import { cardOf, countedNames, now, ownHand, part, revealed, seatName } from "./now.js";
import { send } from "./sending.js";
import { cardToggle, fill, recipient, wantedVariety } from "./trade_parts.js";

export { draft };
const parts = {};
let redraw = () => {};
let sent = ""; // the draft that is on its way, or was and got no answer, as it is written now

export function composer(redrawn) {
  redraw = redrawn;
  for (const name of ["revealed", "hand", "wantRevealed", "varieties", "exact", "to"]) parts[name] = element("div", { class: "cards" });
  parts.title = element("h3", { id: "composer-title", tabindex: -1 });
  parts.notice = element("p", { class: "notice", role: "status" });
  parts.sentence = element("p", { class: "draft-sentence", "aria-live": "polite" });
  parts.exactly = element("details", { class: "folded" }, element("summary", { text: say("exactly") }), parts.exact);
  // On a phone the table with its labels lies behind the form.
  parts.give = fieldset(say("you_give"), ...labelled(labels.revealed, parts.revealed), ...labelled(labels.hand, parts.hand));
  parts.get = fieldset(say("you_get"), ...labelled(labels.revealed, parts.wantRevealed), parts.varieties, parts.exactly);
  parts.whom = fieldset(say("to_whom"), parts.to);
  parts.promises = fieldset(say("promises_of_levy"), ...["spare", "wantSpared"].map(promise));
  parts.done = pressable(say("send_offer"), offer, { class: "act main" });
  parts.form = element("form", { id: "composer", "aria-labelledby": "composer-title", hidden: true },
    parts.title, parts.notice,
    element("div", { class: "sides" }, parts.give, parts.get),
    parts.whom, parts.promises,
    element("div", { class: "draft-end" }, parts.sentence,
      element("div", { class: "acts" }, parts.done, pressable(say("start_over"), startOver, { class: "act" }), pressable(say("cancel"), closeComposer, { class: "act quiet-act" }))));
  parts.form.addEventListener("submit", (event) => event.preventDefault());
  parts.form.addEventListener("keydown", (event) => event.key === "Escape" && closeComposer());
  return parts.form;
}

function fieldset(label, ...content) {
  return element("fieldset", {}, element("legend", { text: label }), ...content);
}

// A row of cards and its label, which comes and goes with it.
function labelled(text, row) {
  return [element("span", { class: "label", text }), row];
}

function promise(name) {
  const box = element("input", { type: "checkbox", id: `promise-${name}` });
  box.addEventListener("change", () => {
    draft[name] = box.checked;
    drawComposer();
  });
  parts[name] = box;
  return element("label", { class: "check" }, box, " ", element("span", { text: say(name === "spare" ? "promise_spare" : "promise_want_spared") }));
}

// Opens the composer for an offer of one's own.
export function composeOffer() {
  clearDraft();
  show();
}

// Puts a card into the offer that is being composed, or takes it out; the focus stays where it was pressed.
export function changeDraft(change) {
  change();
  draft.open = true;
  redraw();
}

// Opens the composer for an answer: what an offer gives is wanted, what it wants is given, as far as that can be.
export function composeCounter([number, , , made]) {
  clearDraft();
  draft.counters = number;
  const form = draftForm();
  for (const [count, card] of made.cards ?? []) {
    const key = now.scene.card_keys[card];
    if (form.want[key]) draft.want.set(key, count);
  }
  for (const each of made.revealed ?? []) if (form.want_revealed.includes(each)) draft.wantRevealed.add(each);
  for (const each of made.want_revealed ?? []) if (form.revealed.includes(each)) draft.revealed.add(each);
  for (const [count, card] of made.want ?? []) {
    const fitting = ownHand().filter(([each, held]) => form.hand.includes(each) && (held === card || now.scene.cards[held][2] === now.scene.card_keys[card]));
    for (const [each] of fitting.slice(-count)) draft.hand.add(each);
  }
  show();
}

function show() {
  draft.open = true;
  parts.notice.textContent = "";
  redraw();
  parts.title.focus();
  // The end of it lies over what is lower: all of it shall be seen; where the window is too low for that, its beginning.
  parts.form.scrollIntoView({ block: "nearest" });
  const { bottom } = parts.form.closest("#playing").firstChild.getBoundingClientRect();
  if (parts.title.getBoundingClientRect().top < bottom) parts.title.scrollIntoView({ block: "start" });
}

function startOver() {
  const { counters } = draft;
  clearDraft();
  draft.counters = counters;
  drawComposer();
}

export function closeComposer() {
  draft.open = false;
  clearDraft();
  redraw();
}

const written = () => JSON.stringify(draftCommand());

// When the offer is made the draft goes, unless it has become another one meanwhile.
function offer() {
  if (!isTrade() || !draftForm()) return;
  sent = written();
  send(draftCommand(), () => { if (draft.open && written() === sent) closeComposer(); });
}

// A draft after the table has changed: what can't be any more is taken out of it. What was sent is still that.
export function reviseDraft() {
  const isAsSent = written() === sent;
  const said = revised();
  if (isAsSent) sent = written();
  return said;
}

function revised() {
  if (!draft.open) return "";
  if (draft.counters !== null && !draftForm() && cardsAreTraded()) {
    const { counters } = draft;
    draft.counters = null;
    fitDraft(draftForm());
    parts.notice.textContent = say("answered_offer_gone", { number: counters });
  }
  const form = draftForm();
  if (!form) {
    closeComposer();
    return say("draft_dropped");
  }
  const { cards, wishes } = fitDraft(form);
  const notices = [cards && say("cards_gone"), wishes && say("wishes_gone")].filter(Boolean);
  if (notices.length) parts.notice.textContent = notices.join(" ");
  return "";
}

function cardsAreTraded() {
  const { counters } = draft;
  draft.counters = null;
  const form = draftForm();
  draft.counters = counters;
  return form !== undefined;
}

export function drawComposer() {
  parts.form.hidden = !draft.open;
  const form = draftForm();
  if (draft.open && form) drawDraft(form);
  draftFollowers.forEach((follow) => follow());
}

function drawDraft(form) {
  parts.title.textContent = draft.counters === null ? say("your_offer") : say("your_counter", { number: draft.counters });
  drawCards(parts.revealed, revealed(), form.revealed, draft.revealed, say("revealed_card"));
  drawCards(parts.hand, ownHand(), form.hand, draft.hand, "");
  drawCards(parts.wantRevealed, revealed(), form.want_revealed, draft.wantRevealed, say("revealed_card"));
  drawVarieties(form);
  drawRecipients(form);
  parts.promises.hidden = !form.promises;
  parts.spare.checked = draft.spare;
  parts.wantSpared.checked = draft.wantSpared;
  parts.sentence.textContent = sentence();
  parts.done.setAttribute("aria-disabled", String(!isTrade()));
}

function drawCards(place, cards, allowed, chosen, note) {
  const shown = cards.filter(([number]) => allowed.includes(number));
  keep(place, shown.map(([number, card]) => ({ key: String(number), sign: [card, note], make: () => cardToggle(card, number, note, () => {
    toggle(chosenIn(place), number);
    drawComposer();
  }) })));
  for (const each of place.children) each.setAttribute("aria-pressed", String(chosen.has(Number(each.dataset.key))));
  place.hidden = place.previousSibling.hidden = !shown.length;
}

// The sets of a draft are others after it was cleared: a toggle asks for its own when it is pressed.
const chosenIn = (place) => (place === parts.revealed ? draft.revealed : place === parts.hand ? draft.hand : draft.wantRevealed);

function drawVarieties(form) {
  const isExact = (key) => {
    const variety = now.scene.cards[cardOf(key)]?.[2];
    return variety !== key && variety in form.want;
  };
  const keys = Object.keys(form.want);
  const exact = keys.filter(isExact);
  for (const [place, shown] of [[parts.varieties, keys.filter((key) => !isExact(key))], [parts.exact, exact]]) {
    keep(place, shown.map((key) => ({ key, sign: key, make: () => wantedVariety(key, drawComposer) })));
    for (const each of place.children) fill(each, draft.want.get(each.dataset.key) ?? 0, form.want[each.dataset.key]);
  }
  parts.exactly.hidden = !exact.length;
}

function drawRecipients(form) {
  const options = form.to ?? [];
  parts.whom.hidden = options.length < 2;
  keep(parts.to, options.map((seat) => ({ key: String(seat), sign: seat === null ? "" : seatName(seat), make: () => recipient(seat, () => {
    draft.to = seat;
    drawComposer();
  }) })));
  for (const each of parts.to.children) each.querySelector("input").checked = each.dataset.key === String(draft.to);
}

// What is offered, in words.
function sentence() {
  const of = (list, numbers) => list.filter(([number]) => numbers.has(number)).map(([, card]) => card);
  const given = [...of(revealed(), draft.revealed), ...of(ownHand(), draft.hand)];
  const wanted = [...of(revealed(), draft.wantRevealed), ...[...draft.want].flatMap(([key, count]) => Array(count).fill(cardOf(key)))];
  const who = draft.counters !== null ? (part("offers") ?? []).find(([number]) => number === draft.counters)?.[1] : draft.to;
  const values = { given: countedNames(given), wanted: countedNames(wanted), who: who === null ? say("everybody") : seatName(who) };
  const promised = [draft.spare && say("sentence_spare"), draft.wantSpared && say("sentence_want_spared")].filter(Boolean);
  if (!isTrade()) return say("draft_empty");
  const said = !wanted.length ? say("draft_gift", values) : !given.length ? say("draft_request", values) : say("draft_trade", values);
  return [said, ...promised].join(" ");
}
