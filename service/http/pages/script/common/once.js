// What a form sends once, though it is pressed again where nothing has answered: the same content has the same key then.

import { newKey } from "../client/fieldbook.js";

export class SentOnce {
  #written;
  #keys;

  // Whether something was sent, or is on its way, of which nobody knows whether it counts.
  get isOpen() {
    return this.#written !== undefined;
  }

  // What `send` answers, which gets `{ key, seed }`: the same ones as before where this content got no answer. The seed is a
  // share of chance of one's own, which nobody could foresee.
  async send(content, send) {
    const written = JSON.stringify(content);
    if (written !== this.#written) this.#keys = { key: newKey(), seed: newKey() };
    this.#written = written;
    try {
      const answer = await send(this.#keys);
      this.#written = undefined;
      return answer;
    } catch (error) {
      // What was refused was not done: it is something new when it is sent again.
      if (error.status < 500 && error.status !== 429) this.#written = undefined;
      throw error;
    }
  }
}

// A way to send for one form of several steps: the same words go under the same key, and what was answered is not sent again.
export function sendingOnce() {
  const parcels = new Map();
  return async (api, method, path, body) => {
    const content = JSON.stringify([method, path, body]);
    if (!parcels.has(content)) parcels.set(content, { key: newKey() });
    const parcel = parcels.get(content);
    parcel.answer ??= await api.ask(method, path, { body, key: parcel.key });
    return parcel.answer;
  };
}
