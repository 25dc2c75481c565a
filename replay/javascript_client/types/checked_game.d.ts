/**
 * Follows a game as `follow` does, and tells an entry only when it holds. Without `after` it begins behind what has happened.
 * @param {Fieldbook} fieldbook
 * @param {string} game
 * @param {Following & Trust} [options]
 * @returns {AsyncGenerator<Frame, void, void>}
 * @throws {NotVerified}
 */
export function followChecked(fieldbook: Fieldbook, game: string, options?: Following & Trust): AsyncGenerator<Frame, void, void>;
/**
 * Checks the whole record of a game: of one that has ended also whether every card was dealt as its secret says.
 * @param {Fieldbook} fieldbook
 * @param {string} game
 * @param {Trust} [trust]
 * @returns {Promise<import("./stream.js").Report>}
 * @throws {NotVerified}
 */
export function checkRecord(fieldbook: Fieldbook, game: string, trust?: Trust): Promise<import("./stream.js").Report>;
/** @typedef {import("./fieldbook.js").Fieldbook} Fieldbook */
/** @typedef {import("./stream.js").Frame} Frame */
/** @typedef {import("./stream.js").Line} Line */
/** @typedef {import("./stream.js").Trust} Trust */
/** @typedef {import("./stream.js").Following} Following */
export class CheckedGame {
    /**
     * @param {Fieldbook} fieldbook
     * @param {string} game
     * @param {Trust} [trust] what the service said before; without keys, those that it shows now
     */
    constructor(fieldbook: Fieldbook, game: string, trust?: Trust);
    /** The version up to which everything holds. */
    get version(): number;
    /** Whether the record's beginning was read: then all that is told is checked, also where the rest did not come. */
    get isOpen(): boolean;
    /** Where that is, as a stream is asked to go on from it. */
    get cursor(): string;
    /**
     * Checks what has happened so far, and then what was told meanwhile. Where it fails before the game is open it can be
     * called again; behind that the next line that is told has what is missing asked for.
     * @throws {NotVerified}
     */
    begin(): Promise<void>;
    /**
     * Checks what a stream told: an entry that is next, after those that are missing before it, or one that was told already
     * and has to be the same. While the record is still being read it waits for `begin`.
     * @param {Line} line
     * @returns {Promise<void>} until everything that was told by then holds
     * @throws {NotVerified}
     */
    take({ entry, salts, hash }: Line): Promise<void>;
    #private;
}
export type Fieldbook = import("./fieldbook.js").Fieldbook;
export type Frame = import("./stream.js").Frame;
export type Line = import("./stream.js").Line;
export type Trust = import("./stream.js").Trust;
export type Following = import("./stream.js").Following;
