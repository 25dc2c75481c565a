// The service, as one token asks it: JSON in and out, a problem as an error, and whatever changes something sent once.

import { chunksOf } from "./chunks.js";
import { patiently } from "./patience.js";
import { demandForm, problemOf, Unreachable } from "./problems.js";

const PATIENCE = 60_000; // milliseconds

/** @typedef {import("./calls.js").Method} Method */
/** @typedef {import("./calls.js").Asked} Asked */
/**
 * @template {Method} M
 * @typedef {import("./calls.js").PathsOf<M>} PathsOf
 */
/**
 * @template {Method} M
 * @template {PathsOf<M>} P
 * @typedef {import("./calls.js").Operation<M, P>} Operation
 */

export class Fieldbook {
  /**
   * @param {string} [address] where the service is, such as `http://localhost:8000`; of a page without it, its own
   * @param {string} [token] a key, or the token of a seat or a spectator
   * @param {{ patience?: number }} [options] `patience`: milliseconds for which a service that does not answer is asked again
   */
  constructor(address = "", token = "", { patience = PATIENCE } = {}) {
    this.address = address.replace(/\/+$/, "");
    this.token = token;
    this.patience = patience;
  }

  /**
   * The same service, as another token asks it: that of a seat, for instance.
   * @param {string} token
   */
  as(token) {
    return new Fieldbook(this.address, token, { patience: this.patience });
  }

  /**
   * Asks for something. `values` are what stands in braces in the path, and the query.
   * @template {PathsOf<"get">} P
   * @param {P} path
   * @param {import("./calls.js").Given<Operation<"get", P>>} values
   * @returns {Promise<import("./calls.js").Answer<Operation<"get", P>>>}
   */
  get(path, ...values) {
    return this.ask("GET", path, { values: values[0] });
  }

  /**
   * Sends something once, however often it has to be said: all tries have one Idempotency-Key.
   * @template {"POST" | "DELETE"} M
   * @template {PathsOf<Lowercase<M>>} P
   * @param {M} method
   * @param {P} path
   * @param {import("./calls.js").Body<Operation<Lowercase<M>, P>>} [body]
   * @param {import("./calls.js").Given<Operation<Lowercase<M>, P>>} values
   * @returns {Promise<import("./calls.js").Answer<Operation<Lowercase<M>, P>>>}
   */
  send(method, path, body, ...values) {
    return this.ask(method, path, { body, values: values[0] });
  }

  /**
   * Asks for anything, with headers of one's own, or a key that outlives this program. A body with a `Content-Type` of its
   * own goes as it is.
   * @param {string} method
   * @param {string} path
   * @param {Asked} [asked]
   * @returns {Promise<any>}
   */
  async ask(method, path, { values, body, key = method === "GET" ? undefined : newKey(), headers: more = {}, signal } = {}) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json", ...this.authorization() };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    Object.assign(headers, more);
    const isJson = headers["Content-Type"] === "application/json";
    /** @type {RequestInit} */
    const request = { method, headers, cache: "no-cache", signal: signal ?? null };
    if (body !== undefined) request.body = isJson ? JSON.stringify(body) : /** @type {BodyInit} */ (body);
    const [response, text] = await this.#send(path, values, request, (answer) => answer.text());
    if (!response.ok) throw problemOf(response, text);
    return response.status === 204 ? {} : parsed(text);
  }

  /**
   * Asks for something long, in a form of its own such as `application/x-ndjson`: its bytes as they come.
   * @param {string} path
   * @param {string} form
   * @param {Asked["values"]} [values]
   * @returns {Promise<AsyncGenerator<Uint8Array, void, void>>}
   * @throws {Unreachable} what answered has another form
   */
  async open(path, form, values) {
    /** @type {RequestInit} */
    const request = { headers: { Accept: form, ...this.authorization() }, cache: "no-cache" };
    const [response, text] = await this.#send(path, values, request, (answer) => (answer.ok ? "" : answer.text()));
    if (!response.ok) throw problemOf(response, text);
    demandForm(response, form);
    return chunksOf(/** @type {ReadableStream<Uint8Array>} */ (response.body));
  }

  /**
   * Where something of this service is.
   * @param {string} path
   * @param {Asked["values"]} [values]
   */
  addressOf(path, values) {
    return this.address + addressOf(path, values);
  }

  /** @returns {Record<string, string>} */
  authorization() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /**
   * @template Read
   * @param {string} path
   * @param {Asked["values"]} values
   * @param {RequestInit} request
   * @param {(response: Response) => Read | Promise<Read>} read an answer that breaks off while it is read is none
   * @returns {Promise<[Response, Read]>}
   */
  #send(path, values, request, read) {
    const address = this.addressOf(path, values);
    void new Request(address, request); // what can never be sent is no matter of patience
    return patiently(async () => {
      const response = await fetch(address, request);
      return [response, await read(response)];
    }, this.patience, request.signal ?? undefined);
  }
}

/**
 * A path with its places filled; what has no place there is the query. What is not given is left out.
 * @param {string} path
 * @param {Asked["values"]} [values]
 */
export function addressOf(path, values = {}) {
  const given = new Map(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    if (!given.has(name)) throw new TypeError(`${path} needs a value for ${name}`);
    const value = encodeURIComponent(String(given.get(name)));
    given.delete(name);
    return value;
  });
  return given.size ? `${filled}?${new URLSearchParams([...given].map(([name, value]) => [name, String(value)]))}` : filled;
}

/**
 * A key under which something is sent once. A page that came over plain HTTP has no `randomUUID`.
 * @returns {string}
 */
export function newKey() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreachable("what answered there is no Fieldbook", { cause: error });
  }
}
