/** What of the second verifier the JavaScript client uses, with types. */

export interface Finding {
  check: string;
  version: number;
  reason: string;
}

/** `docs/verifying.md` says what a report holds. */
export interface Report {
  ok: boolean;
  game: string;
  scope: string;
  system: string;
  status: string;
  entries: number;
  head: string;
  discarded: [number, number][];
  findings: Finding[];
  is_record?: boolean;
  signed_by?: string;
  trusted?: boolean;
  logged?: string;
  stopped_early: boolean;
}

export interface Key {
  name: string;
  text: string;
}

export interface Note {
  text: string;
}

/** What a reader trusts, as texts. */
export interface Trusted {
  keys?: string[] | undefined;
  signingKeys?: string | undefined;
  checkpoint?: string | undefined;
  receipts?: string[] | undefined;
}

/** A game as its record or its stream tells it, entry by entry. */
export class Game {
  /** Whether the game goes on while it is checked: then its last entry opens the secret, and not the header. */
  isLive: boolean;
  version: number;
  readonly entries: number;
  readonly head: string;
  begin(header: unknown, trust: { keys: Key[]; receipts: Note[] }): Promise<void>;
  follow(line: unknown): Promise<void>;
  publicForm(entry: unknown, salts: Record<string, string>): Promise<unknown>;
}

export function hashAfter(before: string, value: unknown): Promise<string>;
export function trustOf(trust: Trusted): Promise<{ keys: Key[]; receipts: Note[]; checkpoint?: Note }>;
export function verify(source: AsyncIterable<Uint8Array | string>, trust?: Trusted): Promise<Report>;
