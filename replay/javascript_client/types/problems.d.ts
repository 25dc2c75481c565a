/**
 * The error for an answer that is one, whoever wrote it: what stands between writes no problems.
 * @param {Response} response
 * @param {string} text its body
 * @returns {Problem<any>}
 */
export function problemOf(response: Response, text: string): Problem<any>;
/**
 * Milliseconds after which an answer asks to be asked for again, if it does.
 * @param {Response} response
 */
export function retryAfter(response: Response): number | undefined;
/** @typedef {import("./contract.js").components["schemas"]} Schemas */
/**
 * What the service has refused: a problem document (RFC 9457) with its stable `code`; `docs/problems.md` lists them.
 * @template [Body=Schemas["ProblemAnswer"]]
 */
export class Problem<Body = {
    code: string;
    detail: string;
    request_id?: string;
    status: number;
    title: string;
    type: string;
} & {
    [key: string]: unknown;
}> extends Error {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: Body, retryAfter?: number);
    status: number;
    body: Body;
    code: string;
    section: string | undefined;
    retryAfter: number | undefined;
}
/**
 * 422: a move that the rules refuse; the game is as it was. `section` names the booklet and the section that has the rule,
 * `body` has the table and what would be legal.
 * @extends {Problem<Schemas["RefusalAnswer"]>}
 */
export class RefusedByTheRules extends Problem<{
    code: string;
    detail: string;
    legal_commands: import("./contract.js").components["schemas"]["LegalCommandsMember"];
    place: number;
    request_id?: string;
    section: string;
    status: number;
    title: string;
    type: string;
    version: number;
} & {
    [key: string]: unknown;
}> {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: {
        code: string;
        detail: string;
        legal_commands: import("./contract.js").components["schemas"]["LegalCommandsMember"];
        place: number;
        request_id?: string;
        section: string;
        status: number;
        title: string;
        type: string;
        version: number;
    } & {
        [key: string]: unknown;
    }, retryAfter?: number);
}
/** 422: what was sent breaks the contract, or names nothing that the service knows; sent again it does so again. */
export class Invalid extends Problem<{
    code: string;
    detail: string;
    request_id?: string;
    status: number;
    title: string;
    type: string;
} & {
    [key: string]: unknown;
}> {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: {
        code: string;
        detail: string;
        request_id?: string;
        status: number;
        title: string;
        type: string;
    } & {
        [key: string]: unknown;
    }, retryAfter?: number);
}
/** 412: the game has moved on from the version that was named; `body` has the first of what was missed. */
export class Stale extends Problem<{
    code: string;
    detail: string;
    request_id?: string;
    status: number;
    title: string;
    type: string;
} & {
    [key: string]: unknown;
}> {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: {
        code: string;
        detail: string;
        request_id?: string;
        status: number;
        title: string;
        type: string;
    } & {
        [key: string]: unknown;
    }, retryAfter?: number);
}
/** 409 and 412: the log does not have what was read of it; `body` says which version is the last in common. */
export class HistoryLost extends Problem<{
    code: string;
    detail: string;
    request_id?: string;
    status: number;
    title: string;
    type: string;
} & {
    [key: string]: unknown;
}> {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: {
        code: string;
        detail: string;
        request_id?: string;
        status: number;
        title: string;
        type: string;
    } & {
        [key: string]: unknown;
    }, retryAfter?: number);
}
/** 401 and 403: no token, a wrong one, or one that does not permit this. */
export class NotPermitted extends Problem<{
    code: string;
    detail: string;
    request_id?: string;
    status: number;
    title: string;
    type: string;
} & {
    [key: string]: unknown;
}> {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: {
        code: string;
        detail: string;
        request_id?: string;
        status: number;
        title: string;
        type: string;
    } & {
        [key: string]: unknown;
    }, retryAfter?: number);
}
/** 404: no such game, version or address, for you. */
export class NotFound extends Problem<{
    code: string;
    detail: string;
    request_id?: string;
    status: number;
    title: string;
    type: string;
} & {
    [key: string]: unknown;
}> {
    /**
     * @param {number} status
     * @param {Body} body
     * @param {number} [retryAfter] milliseconds after which the service wants to be asked again
     */
    constructor(status: number, body: {
        code: string;
        detail: string;
        request_id?: string;
        status: number;
        title: string;
        type: string;
    } & {
        [key: string]: unknown;
    }, retryAfter?: number);
}
/** Nothing answered that is a service, also after some patience. */
export class Unreachable extends Error {
    /**
     * @param {string} message
     * @param {ErrorOptions} [options]
     */
    constructor(message: string, options?: ErrorOptions);
}
/** What the service told does not hold: an entry, its hash, or something that it had signed otherwise. */
export class NotVerified extends Error {
    /**
     * @param {{ check: string, version?: number, reason: string }} finding which check failed, where, and what it says
     */
    constructor({ check, version, reason }: {
        check: string;
        version?: number;
        reason: string;
    });
    check: string;
    version: number;
    reason: string;
}
export type Schemas = import("./contract.js").components["schemas"];
