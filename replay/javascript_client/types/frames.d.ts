/**
 * The frames of a text that comes in pieces.
 * @param {AsyncIterable<string>} pieces
 * @returns {AsyncGenerator<Frame, void, void>}
 */
export function framesOf(pieces: AsyncIterable<string>): AsyncGenerator<Frame, void, void>;
export function isEntry(frame: Frame): frame is import("./stream.js").EntryFrame;
export type Frame = import("./stream.js").Frame;
