// What a game's stream tells, and what it is checked against.

import type { components, operations } from "./contract.js";

export type { Report } from "../../second_verifier/verifier.mjs";

type Schemas = components["schemas"];
type Clock = NonNullable<Schemas["StateAnswer"]["clock"]>;

/** An entry as a caller may see it; with `text` where a language was asked for. */
export interface Line {
  entry: Schemas["LogEntry"];
  salts: Record<string, string>;
  hash: string;
  text?: string;
}

/** An entry of the log, as it was appended. */
export interface EntryFrame {
  event: Schemas["LogEntry"]["type"];
  id: string;
  data: Line;
}

/** `docs/http-api.md`, "Follow", says when each of them comes. An `id` is the cursor behind it. */
export type Frame =
  | EntryFrame
  | { event: "view"; id: string; data: Schemas["StateAnswer"] & { commands?: Schemas["LegalCommandsAnswer"]["commands"] } }
  | { event: "clock"; id?: undefined; data: { version: number; clock: Clock } }
  | { event: "presence"; id?: undefined; data: { seats: number[]; spectators: number } }
  | { event: "dispute"; id?: undefined; data: { dispute: number; status: string; number: number; type: string; hash: string } }
  | { event: "history_lost"; id?: undefined; data: { code: string; last: string } }
  | { event: "end"; id?: undefined; data: object };

export interface Following {
  /** A cursor, or a version: what comes after it is told. Without it the table comes first. */
  after?: string | number | undefined;
  /** What else a stream is asked for: `text` for a sentence with each entry, `as` for other eyes. */
  values?: Pick<NonNullable<operations["read_events"]["parameters"]["query"]>, "text" | "as" | "view">;
  /** Ends it. */
  signal?: AbortSignal | undefined;
  /** Hears whether there is a connection. */
  connected?: (isConnected: boolean) => void;
}

export interface Trust {
  /** The service's signing keys, as its operator publishes them. */
  keys?: string[];
  /** What it has signed about this game before. */
  receipts?: string[];
  /** Through whose eyes the game is seen, if not through one's own. */
  as?: string | null | undefined;
  /** Called with what it signs now, to be kept. */
  keep?: (receipt: string) => void;
}
