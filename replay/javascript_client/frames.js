// Server-sent events (HTML Living Standard, 9.2.6) whose data is JSON.

/** @typedef {import("./stream.js").Frame} Frame */

/**
 * Whether a frame is an entry of the log.
 * @param {Frame} frame
 * @returns {frame is import("./stream.js").EntryFrame}
 */
export const isEntry = (frame) => "entry" in frame.data;

/**
 * The frames of a text that comes in pieces.
 * @param {AsyncIterable<string>} pieces
 * @returns {AsyncGenerator<Frame, void, void>}
 */
export async function* framesOf(pieces) {
  let text = "";
  for await (const piece of pieces) {
    const blocks = (text + piece).split("\n\n");
    text = /** @type {string} */ (blocks.pop());
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame) yield frame;
    }
  }
}

/**
 * @param {string} block
 * @returns {Frame | undefined} nothing where it only says that somebody is still there
 */
function frameOf(block) {
  let event = "message";
  let id;
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /** @type {RegExpExecArray} */ (/^([^:]*):? ?(.*)$/.exec(line));
    if (name === "data") data.push(value);
    else if (name === "event") event = /** @type {string} */ (value);
    else if (name === "id") id = value;
  }
  return data.length ? /** @type {Frame} */ ({ event, id, data: JSON.parse(data.join("\n")) }) : undefined;
}
