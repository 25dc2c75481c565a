// Answers that are long, as they come.

/**
 * The chunks of a body. Not every browser goes through a stream by itself.
 * @template Chunk
 * @param {ReadableStream<Chunk>} body
 * @returns {AsyncGenerator<Chunk, void, void>}
 */
export async function* chunksOf(body) {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Whoever goes away early wants no more of it.
    await reader.cancel().catch(() => {});
  }
}

/**
 * The lines of a text that comes in chunks of bytes.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @returns {AsyncGenerator<string, void, void>}
 */
export async function* linesOf(chunks) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = /** @type {string} */ (lines.pop());
    yield* lines;
  }
  text += decoder.decode(); // a character that is cut off at the end shows as U+FFFD
  if (text) yield text;
}
