/**
 * A path with its places filled; what has no place there is the query. What is not given is left out.
 * @param {string} path
 * @param {Asked["values"]} [values]
 */
export function addressOf(path: string, values?: Asked["values"]): string;
/**
 * A key under which something is sent once. A page that came over plain HTTP has no `randomUUID`.
 * @returns {string}
 */
export function newKey(): string;
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
    constructor(address?: string, token?: string, { patience }?: {
        patience?: number;
    });
    address: string;
    token: string;
    patience: number;
    /**
     * The same service, as another token asks it: that of a seat, for instance.
     * @param {string} token
     */
    as(token: string): Fieldbook;
    /**
     * Asks for something. `values` are what stands in braces in the path, and the query.
     * @template {PathsOf<"get">} P
     * @param {P} path
     * @param {import("./calls.js").Given<Operation<"get", P>>} values
     * @returns {Promise<import("./calls.js").Answer<Operation<"get", P>>>}
     */
    get<P extends PathsOf<"get">>(path: P, ...values: import("./calls.js").Given<Operation<"get", P>>): Promise<import("./calls.js").Answer<Operation<"get", P>>>;
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
    send<M extends "POST" | "DELETE", P extends PathsOf<Lowercase<M>>>(method: M, path: P, body?: import("./calls.js").Body<Operation<Lowercase<M>, P>>, ...values: import("./calls.js").Given<Operation<Lowercase<M>, P>>): Promise<import("./calls.js").Answer<Operation<Lowercase<M>, P>>>;
    /**
     * Asks for anything, with headers of one's own, or a key that outlives this program. A body with a `Content-Type` of its
     * own goes as it is.
     * @param {string} method
     * @param {string} path
     * @param {Asked} [asked]
     * @returns {Promise<any>}
     */
    ask(method: string, path: string, { values, body, key, headers: more, signal }?: Asked): Promise<any>;
    /**
     * Asks for something long, in a form of its own such as `application/x-ndjson`: its bytes as they come.
     * @param {string} path
     * @param {string} form
     * @param {Asked["values"]} [values]
     * @returns {Promise<AsyncGenerator<Uint8Array, void, void>>}
     */
    open(path: string, form: string, values?: Asked["values"]): Promise<AsyncGenerator<Uint8Array, void, void>>;
    /**
     * Where something of this service is.
     * @param {string} path
     * @param {Asked["values"]} [values]
     */
    addressOf(path: string, values?: Asked["values"]): string;
    /** @returns {Record<string, string>} */
    authorization(): Record<string, string>;
    #private;
}
export type Method = import("./calls.js").Method;
export type Asked = import("./calls.js").Asked;
export type PathsOf<M extends Method> = import("./calls.js").PathsOf<M>;
export type Operation<M extends Method, P extends PathsOf<M>> = import("./calls.js").Operation<M, P>;
