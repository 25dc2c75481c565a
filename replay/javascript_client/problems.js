// What can come instead of an answer, as errors. None of them has changed anything in a game, except `Unreachable`, after
// which only the same request with the same key tells.

/** @typedef {import("./contract.js").components["schemas"]} Schemas */

/**
 * What the service has refused: a problem document (RFC 9457) with its stable `code`; `docs/problems.md` lists them.
 * @template [Body=Schemas["ProblemAnswer"]]
 */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {Body} body
   * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
   */
  constructor(status, body, retryAfter) {
    const { code, title, detail, section } = /** @type {Partial<Schemas["RefusalAnswer"]>} */ (body);
    super(detail || title || String(status));
    this.name = new.target.name;
    this.status = status;
    this.body = body;
    this.code = code || `status_${status}`;
    this.section = section;
    this.retryAfter = retryAfter;
  }
}

/**
 * 422: a move that the rules refuse; the game is as it was. `section` names the booklet and the section that has the rule,
 * `body` has the table and what would be legal.
 * @extends {Problem<Schemas["RefusalAnswer"]>}
 */
export class RefusedByTheRules extends Problem {}

/** 422: what was sent breaks the contract, or names nothing that the service knows; sent again it does so again. */
export class Invalid extends Problem {}

/** 412: the game has moved on from the version that was named; `body` has the first of what was missed. */
export class Stale extends Problem {}

/** 409 and 412: the log does not have what was read of it; `body` says which version is the last in common. */
export class HistoryLost extends Problem {}

/** 401 and 403: no token, a wrong one, or one that does not permit this. */
export class NotPermitted extends Problem {}

/** 404: no such game, version or address, for you. */
export class NotFound extends Problem {}

/** Nothing answered that is a service, also after some patience. */
export class Unreachable extends Error {
  /**
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What the service told does not hold: an entry, its hash, or something that it had signed otherwise. */
export class NotVerified extends Error {
  /**
   * @param {{ check: string, version?: number, reason: string }} finding which check failed, where, and what it says
   */
  constructor({ check, version, reason }) {
    super(version ? `version ${version}: ${reason}` : reason);
    this.name = new.target.name;
    this.check = check;
    this.version = version ?? 0;
    this.reason = reason;
  }
}

const LOST = ["history_lost", "history_forked"];
const UNKNOWN = ["schema_violation", "unknown_system", "unknown_option", "bad_option"];
/** @type {Record<number, typeof Problem<any>>} */
const KINDS = { 401: NotPermitted, 403: NotPermitted, 404: NotFound, 412: Stale };

/**
 * The error for an answer that is one, whoever wrote it: what stands between writes no problems.
 * @param {Response} response
 * @param {string} text its body
 * @returns {Problem<any>}
 */
export function problemOf(response, text) {
  const body = membersOf(text);
  const kind = LOST.includes(body.code) ? HistoryLost
    : response.status !== 422 ? KINDS[response.status] ?? Problem
    : UNKNOWN.includes(body.code) ? Invalid
    : "section" in body ? RefusedByTheRules : Problem;
  return new kind(response.status, body, retryAfter(response));
}

/**
 * Demands that an answer has the form that was asked for: a proxy or a login page answers 200 with a page of its own.
 * @param {Response} response
 * @param {string} form a media type
 * @throws {Unreachable}
 */
export function demandForm(response, form) {
  const given = response.headers.get("Content-Type") ?? "";
  if (/** @type {string} */ (given.split(";")[0]).trim().toLowerCase() === form) return;
  const what = given ? `${given} came instead of ${form}` : `no Content-Type, and ${form} was expected`;
  void response.body?.cancel();
  throw new Unreachable(`${what} from ${response.url}: check the address, and whether a proxy answers for the service`);
}

/**
 * Milliseconds after which an answer asks to be asked for again, if it does.
 * @param {Response} response
 */
export function retryAfter(response) {
  const header = response.headers.get("Retry-After");
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
}

/** @param {string} text */
function membersOf(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
