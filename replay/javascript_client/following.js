// A game's events as they happen: a stream that comes back by itself, without a gap and without telling anything twice.

import { chunksOf } from "./chunks.js";
import { framesOf } from "./frames.js";
import { pauseAfter, sleep } from "./patience.js";
import { demandForm, Problem, problemOf, Unreachable } from "./problems.js";

const SILENCE = 45_000; // milliseconds after which a silent connection is taken for a dead one: the service says more often that it is there
const MOST_DOUBLINGS = 5;
const STREAM = "text/event-stream";
const EVENTS = "/v1/games/{game}/events";

/** @typedef {import("./stream.js").Frame} Frame */
/** @typedef {import("./stream.js").Following} Following */
/** @typedef {import("./fieldbook.js").Fieldbook} Fieldbook */

/**
 * Follows a game from behind a cursor, or from now on with the table first, until the game or `signal` ends it.
 * Where the connection is lost it goes on behind the last frame that had an `id`, however long that takes.
 * @param {Fieldbook} fieldbook
 * @param {string} game
 * @param {Following} [options]
 * @returns {AsyncGenerator<Frame, void, void>}
 * @throws {Problem} the service will never answer this; a `HistoryLost` where the log does not go on from the cursor
 * @throws {Unreachable} what answered is no stream of a Fieldbook
 */
export async function* follow(fieldbook, game, { after, values = {}, signal, connected = () => {} } = {}) {
  void new Request(fieldbook.addressOf(EVENTS, { game })); // what can never be asked is said at once
  let cursor = after;
  for (let failures = 0; !signal?.aborted; failures += 1) {
    const end = new AbortController();
    let asked = 0;
    try {
      const ended = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
      const pieces = await within(open(fieldbook, game, { ...values, after: cursor }, ended), end);
      if (!pieces) return;
      connected(true);
      for await (const frame of framesOf(watched(pieces, end))) {
        failures = 0;
        if (frame.id) cursor = frame.id;
        yield frame;
        if (frame.event === "end") return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Unreachable || (error instanceof Problem && error.status < 500 && error.status !== 429)) throw error;
      if (error instanceof Problem) asked = error.retryAfter ?? 0;
    } finally {
      end.abort();
    }
    connected(false);
    await sleep(Math.max(asked, pauseAfter(Math.min(failures, MOST_DOUBLINGS)) * (0.75 + Math.random() / 2)), signal);
  }
}

/**
 * @param {Fieldbook} fieldbook
 * @param {string} game
 * @param {Record<string, unknown>} values
 * @param {AbortSignal} signal
 * @returns {Promise<AsyncGenerator<string, void, void> | undefined>} the text of a stream; nothing where there is nothing more to tell
 */
async function open(fieldbook, game, values, signal) {
  const headers = { Accept: STREAM, ...fieldbook.authorization() };
  const address = fieldbook.addressOf(EVENTS, { game, ...values });
  const response = await fetch(address, { headers, cache: "no-store", signal });
  if (!response.ok) throw problemOf(response, await response.text());
  if (response.status === 204 || !response.body) return undefined;
  demandForm(response, STREAM);
  return chunksOf(response.body.pipeThrough(new TextDecoderStream()));
}

/**
 * The same pieces, as long as they come.
 * @param {AsyncGenerator<string, void, void>} pieces
 * @param {AbortController} end
 */
async function* watched(pieces, end) {
  for (;;) {
    const { value, done } = await within(pieces.next(), end);
    if (done) return;
    yield value;
  }
}

/**
 * What comes, unless it is waited for too long: then everything ends.
 * @template Coming
 * @param {Promise<Coming>} coming
 * @param {AbortController} end
 */
function within(coming, end) {
  const timer = setTimeout(() => end.abort(), SILENCE);
  return coming.finally(() => clearTimeout(timer));
}
