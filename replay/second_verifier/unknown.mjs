/** What the second verifier cannot check of a valid record, because its reader did not bring what it takes. */
export function unknownOf({ ok, brought, entries, signed_by: signer, trusted, logged, clock }) {
  const unknown = [], say = (about, reason) => unknown.push({ about, reason: `cannot tell ${reason}` });
  if (!ok) return unknown;
  const to = brought.receipts_to;
  if (!brought.receipts) say("game", "whether this is the game that was played: no receipt of it was given");
  else if (to < entries) say("game", `whether the game was played like this after version ${to}: no later receipt was given`);
  if (!signer) say("signer", "whose record this is: it is not signed");
  else if (!trusted) say("signer", "who signed it: no key was given");
  if (!logged) say("log", "whether it is in a log: no proof of that is attached");
  else if (!brought.checkpoint) say("log", "whether the log has shown everybody the same: no checkpoint was given");
  if (clock?.forced) {
    say("clock", "whether the moves made for seats whose time was over are those of the clock's bot: that takes the whole record "
      + "of a finished game, and the rules");
  }
  say("witness", "when it was played but by the service's clock: no key of a witness was given");
  return unknown;
}
