// A game that is checked while it goes on: every entry, its hash and what lies open, by the second verifier, as it arrives.

import { Game, hashAfter, trustOf, verify } from "../second_verifier/verifier.mjs";
import { linesOf } from "./chunks.js";
import { follow } from "./following.js";
import { isEntry } from "./frames.js";
import { sleep } from "./patience.js";
import { NotVerified } from "./problems.js";

const RECORD = "/v1/games/{game}/record";
const FORM = "application/x-ndjson";
const PAUSE = 1_000; // milliseconds before asking again for what the service has told of and does not have
const NOT_ENTRIES = ["end", "attached", "annotation"];

/** @typedef {import("./fieldbook.js").Fieldbook} Fieldbook */
/** @typedef {import("./stream.js").Frame} Frame */
/** @typedef {import("./stream.js").Line} Line */
/** @typedef {import("./stream.js").Trust} Trust */
/** @typedef {import("./stream.js").Following} Following */

export class CheckedGame {
  #game = new Game();
  /** @type {string[]} the chain hash at each version */
  #hashes = [this.#game.head];
  /** @type {Map<number, Line>} lines that came by the stream and wait for those before them */
  #told = new Map();
  /** @type {Promise<void> | undefined} */
  #running;
  #isOpen = false;
  #isReading = false;
  /** @type {NotVerified | undefined} */
  #failure;
  #fieldbook;
  #name;
  #trust;

  /**
   * @param {Fieldbook} fieldbook
   * @param {string} game
   * @param {Trust} [trust] what the service said before; without keys, those that it shows now
   */
  constructor(fieldbook, game, trust = {}) {
    this.#fieldbook = fieldbook;
    this.#name = game;
    this.#trust = trust;
  }

  /** The version up to which everything holds. */
  get version() {
    return this.#hashes.length - 1;
  }

  /** Whether the record's beginning was read: then all that is told is checked, also where the rest did not come. */
  get isOpen() {
    return this.#isOpen;
  }

  /** Where that is, as a stream is asked to go on from it. */
  get cursor() {
    return `${this.version}-${/** @type {string} */ (this.#hashes.at(-1)).slice(0, 8)}`;
  }

  /**
   * Checks what has happened so far, and then what was told meanwhile. Where it fails before the game is open it can be
   * called again; behind that the next line that is told has what is missing asked for.
   * @throws {NotVerified}
   */
  async begin() {
    this.#isReading = true;
    try {
      for await (const line of linesOf(await this.#fieldbook.open(RECORD, FORM, { game: this.#name, as: this.#trust.as }))) {
        const value = JSON.parse(line);
        if (value.record) await this.#open(value);
        else if (value.attached === "head") this.#trust.keep?.(value.content);
        else if (!NOT_ENTRIES.some((name) => name in value)) await this.#accept(value);
      }
    } finally {
      this.#isReading = false;
    }
    await this.#catchUp();
  }

  /**
   * Checks what a stream told: an entry that is next, after those that are missing before it, or one that was told already
   * and has to be the same. While the record is still being read it waits for `begin`.
   * @param {Line} line
   * @returns {Promise<void>} until everything that was told by then holds
   * @throws {NotVerified}
   */
  async take({ entry, salts, hash }) {
    if (this.#failure) throw this.#failure;
    if (entry.version <= this.version) return this.#compare({ entry, salts, hash });
    this.#told.set(entry.version, { entry, salts, hash });
    return this.#isOpen && !this.#isReading ? this.#catchUp() : undefined;
  }

  #catchUp() {
    this.#running ??= this.#goOn();
    return this.#running;
  }

  async #goOn() {
    await undefined; // so that it is known to be running before it has ended
    try {
      while (this.#told.size) {
        const next = this.#told.get(this.version + 1);
        if (next) {
          this.#told.delete(next.entry.version);
          await this.#accept(next);
        } else await this.#askForMissing();
        for (const [version, line] of this.#told) {
          if (version > this.version) continue;
          this.#told.delete(version);
          await this.#compare(line);
        }
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #askForMissing() {
    const { events } = await this.#fieldbook.get("/v1/games/{game}/events", { game: this.#name, as: this.#trust.as, after: this.cursor });
    for (const { entry, salts, hash } of events) if (entry.version === this.version + 1) await this.#accept({ entry, salts, hash });
    if (!events.length) await sleep(PAUSE);
  }

  /** @param {{ game: string, scope: string, catalogue: unknown }} header of a record, as one that has entries only */
  async #open({ game, scope, catalogue }) {
    const keys = await keysOf(this.#fieldbook, this.#trust);
    await this.#hold(async () => {
      const trust = await trustOf({ keys, receipts: this.#trust.receipts });
      this.#game.isLive = true;
      await this.#game.begin({ record: 1, game, scope, catalogue }, trust);
    });
    this.#isOpen = true;
  }

  /** @param {Line} line */
  async #accept(line) {
    this.#game.version += 1;
    await this.#hold(() => this.#game.follow(line));
    this.#hashes.push(line.hash);
  }

  /** @param {Line} line */
  async #compare({ entry, salts, hash }) {
    const { version } = entry;
    const before = /** @type {string} */ (this.#hashes[version - 1]);
    const chained = await this.#hold(async () => hashAfter(before, await this.#game.publicForm(entry, salts)));
    if (chained === hash && hash === this.#hashes[version]) return;
    this.#failure = new NotVerified({ check: "chain", version, reason: "this entry was another one when it was told before" });
    throw this.#failure;
  }

  /**
   * What the verifier finds, as an error of this package; after one nothing holds any more.
   * @template Found
   * @param {() => Promise<Found>} work
   */
  async #hold(work) {
    try {
      return await work();
    } catch (error) {
      const { check, version = this.#game.version, message } = /** @type {Error & { check?: string, version?: number }} */ (error);
      if (!check) throw error;
      this.#failure = new NotVerified({ check, version, reason: message });
      throw this.#failure;
    }
  }
}

/**
 * Follows a game as `follow` does, and tells an entry only when it holds. Without `after` it begins behind what has happened.
 * @param {Fieldbook} fieldbook
 * @param {string} game
 * @param {Following & Trust} [options]
 * @returns {AsyncGenerator<Frame, void, void>}
 * @throws {NotVerified}
 */
export async function* followChecked(fieldbook, game, options = {}) {
  const checks = new CheckedGame(fieldbook, game, { as: options.values?.as, ...options });
  await checks.begin();
  for await (const frame of follow(fieldbook, game, { ...options, after: options.after ?? checks.cursor })) {
    if (isEntry(frame)) await checks.take(frame.data);
    yield frame;
  }
}

/**
 * Checks the whole record of a game: of one that has ended also whether every card was dealt as its secret says.
 * @param {Fieldbook} fieldbook
 * @param {string} game
 * @param {Trust} [trust]
 * @returns {Promise<import("./stream.js").Report>}
 * @throws {NotVerified}
 */
export async function checkRecord(fieldbook, game, trust = {}) {
  const record = await fieldbook.open(RECORD, FORM, { game, as: trust.as });
  const report = await verify(record, { keys: await keysOf(fieldbook, trust), receipts: trust.receipts });
  const [finding] = report.findings;
  if (finding) throw new NotVerified(finding);
  return report;
}

/**
 * @param {Fieldbook} fieldbook
 * @param {Trust} trust
 */
async function keysOf(fieldbook, { keys }) {
  const found = keys ?? (await fieldbook.get("/v1/signing-keys")).keys.map(({ key }) => key);
  if (!found.length) throw new TypeError(keys ? "trust.keys is empty: name a key, or leave it out" : "the service publishes no key");
  return found;
}
