// An offer that is being made: what is given, what is wanted, to whom. It never holds what the form does not allow.

import { formOf } from "./commands.js";

export const draft = { open: false };
export const draftFollowers = []; // called when something was chosen, or nothing is any more
clearDraft();

export function clearDraft() {
  Object.assign(draft, { counters: null, to: null, hand: new Set(), revealed: new Set(), want: new Map(), wantRevealed: new Set(), spare: false, wantSpared: false });
}

// The form that the draft fills in; undefined where there is none now.
export function draftForm() {
  if (draft.counters === null) return formOf("offer");
  const form = formOf("counter");
  return form?.offer.includes(draft.counters) ? form : undefined;
}

export const isTrade = () => draft.hand.size + draft.revealed.size + draft.want.size + draft.wantRevealed.size > 0;

export function draftCommand() {
  const command = draft.counters === null ? { type: "offer" } : { type: "counter", offer: draft.counters };
  if (draft.counters === null && draft.to !== null) command.to = draft.to;
  if (draft.hand.size) command.hand = [...draft.hand];
  if (draft.revealed.size) command.revealed = [...draft.revealed];
  if (draft.want.size) command.want = Object.fromEntries(draft.want);
  if (draft.wantRevealed.size) command.want_revealed = [...draft.wantRevealed];
  if (draft.spare) command.spare = true;
  if (draft.wantSpared) command.want_spared = true;
  return command;
}

// Drops what the form does not allow any more. Answers whether cards were, and whether less is wanted than before.
export function fitDraft(form) {
  const cards = [
    keepAllowed(draft.hand, form.hand), keepAllowed(draft.revealed, form.revealed), keepAllowed(draft.wantRevealed, form.want_revealed),
  ].some(Boolean);
  let wishes = false;
  for (const [key, count] of draft.want) {
    const most = form.want[key] ?? 0;
    wishes ||= count > most;
    if (most) draft.want.set(key, Math.min(count, most));
    else draft.want.delete(key);
  }
  if (form.to && !form.to.includes(draft.to)) draft.to = form.to[0];
  if (!form.promises) Object.assign(draft, { spare: false, wantSpared: false });
  return { cards, wishes };
}

function keepAllowed(numbers, allowed) {
  const gone = [...numbers].filter((number) => !allowed.includes(number));
  for (const number of gone) numbers.delete(number);
  return gone.length > 0;
}

export function toggle(numbers, number) {
  if (!numbers.delete(number)) numbers.add(number);
}

export function wantMore(key, count) {
  const most = draftForm()?.want[key] ?? 0;
  const wanted = Math.max(0, Math.min(most, (draft.want.get(key) ?? 0) + count));
  if (wanted) draft.want.set(key, wanted);
  else draft.want.delete(key);
}
