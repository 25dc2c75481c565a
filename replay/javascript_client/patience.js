// Asking until there is an answer: a network that breaks, a service that starts again, a quota that is used up.

import { retryAfter, Unreachable } from "./problems.js";

const FIRST_PAUSE = 500; // milliseconds before asking again where nothing says when; then twice as long, and so on
const LONGEST_PAUSE = 15_000;
const PASSING = [502, 503, 504]; // what a service answers that is there again soon, or who stands before it

/**
 * Waits, or until `signal` ends it.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export const sleep = (milliseconds, signal) => new Promise((wake) => {
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    wake();
  };
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
});

/**
 * How long to wait before the next try, after so many that failed.
 * @param {number} failures
 */
export const pauseAfter = (failures) => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures);

/**
 * Sends a request, again and again while nothing answers or the answer is to try later, as long as `patience` lasts.
 * @template Answer
 * @param {() => Promise<[Response, Answer]>} send
 * @param {number} patience milliseconds
 * @param {AbortSignal} [signal] ends it
 * @returns {Promise<[Response, Answer]>} the answer, and what was read of it
 */
export async function patiently(send, patience, signal) {
  const end = performance.now() + patience; // monotonic: setting the machine's clock does not change it
  for (let failures = 0; ; failures += 1) {
    let pause = pauseAfter(failures);
    try {
      const answered = await send();
      const asked = askedPause(answered[0], pause);
      if (asked === undefined || performance.now() + asked > end) return answered;
      pause = asked;
    } catch (error) {
      if (signal?.aborted) throw error;
      if (performance.now() + pause > end) throw new Unreachable(String(error), { cause: error });
    }
    await sleep(pause, signal);
  }
}

/**
 * @param {Response} response
 * @param {number} usual
 */
function askedPause(response, usual) {
  if (PASSING.includes(response.status)) return retryAfter(response) ?? usual;
  return response.status === 429 ? retryAfter(response) : undefined;
}
