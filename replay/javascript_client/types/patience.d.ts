/**
 * Sends a request, again and again while nothing answers or the answer is to try later, as long as `patience` lasts.
 * @template Answer
 * @param {() => Promise<[Response, Answer]>} send
 * @param {number} patience milliseconds
 * @param {AbortSignal} [signal] ends it
 * @returns {Promise<[Response, Answer]>} the answer, and what was read of it
 */
export function patiently<Answer>(send: () => Promise<[Response, Answer]>, patience: number, signal?: AbortSignal): Promise<[Response, Answer]>;
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
export function pauseAfter(failures: number): number;
