// Server-sent events (HTML Living Standard, section 9.2.6) whose data is JSON.

import { Unreachable } from "./problems.js";

/** @typedef {import("./stream.js").Frame} Frame */

const LINE_END = /\r\n|\n|\r/; // and no other: a text may contain U+2028, which `.` of a pattern does not match

/**
 * Whether a frame is an entry of the log.
 * @param {Frame} frame
 * @returns {frame is import("./stream.js").EntryFrame}
 */
export const isEntry = (frame) => "entry" in frame.data;

/**
 * The frames of a text that comes in pieces. A frame that is not complete at the end of the text is left out.
 * @param {AsyncIterable<string>} pieces
 * @returns {AsyncGenerator<Frame, void, void>}
 * @throws {Unreachable} the data of a frame is not JSON
 */
export async function* framesOf(pieces) {
  let event = "";
  /** @type {string | undefined} */
  let id;
  /** @type {string[]} */
  let data = [];
  for await (const line of linesIn(pieces)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    if (line) continue;
    if (data.length) {
      yield /** @type {Frame} */ ({ event: event || "message", id, data: parsed(data.join("\n")) });
      id = undefined;
    }
    event = "";
    data = [];
  }
}

/**
 * The lines that end in a text. One that ends with CR is told at once: where the next piece begins with LF, that belongs to it.
 * @param {AsyncIterable<string>} pieces
 * @returns {AsyncGenerator<string, void, void>}
 */
async function* linesIn(pieces) {
  let text = "";
  let endsWithReturn = false;
  for await (const piece of pieces) {
    if (!piece) continue;
    const lines = (text + (endsWithReturn && piece[0] === "\n" ? piece.slice(1) : piece)).split(LINE_END);
    endsWithReturn = piece.endsWith("\r");
    text = /** @type {string} */ (lines.pop());
    yield* lines;
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreachable("the data of an event is not JSON: this stream is not from a Fieldbook service", { cause: error });
  }
}
