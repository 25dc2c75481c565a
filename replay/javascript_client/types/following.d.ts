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
 */
export function follow(fieldbook: Fieldbook, game: string, { after, values, signal, connected }?: Following): AsyncGenerator<Frame, void, void>;
export type Frame = import("./stream.js").Frame;
export type Following = import("./stream.js").Following;
export type Fieldbook = import("./fieldbook.js").Fieldbook;
