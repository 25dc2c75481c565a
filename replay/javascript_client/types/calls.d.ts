// What the contract says of an operation, as the client's functions take and give it.

import type { paths } from "./contract.js";

export type Method = "get" | "post" | "delete";

/** The paths that have an operation with this method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

export type Operation<M extends Method, P extends PathsOf<M>> = paths[P] extends Record<M, infer O> ? O : never;

type Parameters<O> = O extends { parameters: infer P } ? P : never;
type InPath<O> = Parameters<O> extends { path: infer V extends object } ? V : object;
type InQuery<O> = Parameters<O> extends { query?: infer V } ? ([V] extends [undefined] ? object : Left<NonNullable<V>>) : object;
/** What is `null` or not defined is left out of the query. */
type Left<V> = { [K in keyof V]: V[K] | null | undefined };

/** What stands in braces in the path, and the query: needed where something in it is. */
export type Given<O> = object extends InPath<O> & InQuery<O> ? [values?: InPath<O> & InQuery<O>] : [values: InPath<O> & InQuery<O>];

export type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? B
  : O extends { requestBody?: { content: { "application/json": infer B } } } ? B : undefined;

type Json<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Done = 200 | 201 | 202;
type Answers<O> = O extends { responses: infer R } ? { [S in keyof R & Done]: Json<R[S]> }[keyof R & Done] : never;

/** The JSON of an operation that was done; an empty object where it has none. */
export type Answer<O> = [Answers<O>] extends [never] ? Record<string, never> : Answers<O>;

export interface Asked {
  values?: object | undefined;
  body?: unknown;
  /** The Idempotency-Key; `newKey()` makes one. */
  key?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
