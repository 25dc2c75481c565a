// Delivering a note, step by step: where a step fails, the next try takes only those that are missing.

import { sendingOnce } from "../common/once.js";
import { mayPass } from "../common/service.js";
import { post, readBook } from "./annotations.js";

// A way to deliver what one form says; `entryOf` makes an entry of it. Where the form says something else by the
// next try, that changes the note that is written already, instead of being a second one.
export function delivery(entryOf) {
  let parcel; // what was sent last: what the form said, and its entry
  let stands; // where the note or the reply was written

  async function send() {
    try {
      const written = await post(parcel.entry, parcel.once);
      parcel.isUnknown = false;
      if (parcel.entry.kind !== "edit") stands ??= written;
      return written;
    } catch (error) {
      parcel.isUnknown = mayPass(error);
      throw error;
    }
  }

  async function put(content) {
    const said = JSON.stringify(content);
    // Whether it has arrived nobody knows: sent again under its key it has, once.
    if (parcel?.isUnknown && parcel.said !== said) await send();
    if (parcel?.said !== said) {
      const changed = { kind: "edit", set: stands?.set, of: stands?.number, ...content };
      parcel = { said, entry: stands ? changed : entryOf(content), once: sendingOnce() };
    }
    return send();
  }

  return async (content, publishes) => {
    const { set } = await put(content);
    await readBook();
    if (!publishes) return;
    await post({ kind: "publication", set }, parcel.once);
    await readBook();
  };
}
