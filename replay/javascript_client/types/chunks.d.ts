/**
 * The chunks of a body. Not every browser goes through a stream by itself.
 * @template Chunk
 * @param {ReadableStream<Chunk>} body
 * @returns {AsyncGenerator<Chunk, void, void>}
 */
export function chunksOf<Chunk>(body: ReadableStream<Chunk>): AsyncGenerator<Chunk, void, void>;
/**
 * The lines of a text that comes in chunks of bytes.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @returns {AsyncGenerator<string, void, void>}
 */
export function linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void>;
