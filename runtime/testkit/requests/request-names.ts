import { STATUS_CODES } from 'node:http';

/* The names that requests have, by which matches and filters know them from misspelt ones. */

/** What RBAC calls the verbs of resources, and the methods of other paths. */
const verbs = [
  ...(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'] as const),
  ...(['head', 'options', 'post', 'put'] as const),
];
export const knownVerbs: readonly string[] = verbs;

/** A verb, or what it begins with and a `*`. */
export type RequestVerb = (typeof verbs)[number] | `${string}*`;

/** The codes of responses with an error. */
export type ErrorCode =
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417)
  | (421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511);

/** The codes that HTTP defines. */
export type StatusCode =
  | (100 | 101 | 102 | 103 | 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226)
  | (300 | 301 | 302 | 303 | 304 | 305 | 307 | 308)
  | ErrorCode;

/** Whether a request can have the verb; a `*` at the end is any rest. */
export const isKnownVerb = (pattern: string): boolean =>
  pattern.endsWith('*') ? knownVerbs.some((verb) => verb.startsWith(pattern.slice(0, -1))) : knownVerbs.includes(pattern);

/** Codes that Node knows, but no server of Kubernetes sends. */
const jokes: ReadonlySet<number> = new Set([418]);

/** Whether HTTP has such a status. */
export const isKnownCode = (code: unknown): boolean => typeof code === 'number' && Object.hasOwn(STATUS_CODES, code) && !jokes.has(code);

export const isPath = (pattern: string): boolean => pattern.startsWith('/') || pattern === '*';

/** Whether all paths of a pattern name a resource: those below a group-version do. */
export const isResourcePath = (pattern: string): boolean => /^\/(api\/[^/*]+|apis\/[^/*]+\/[^/*]+)\/[^*]/.test(pattern);
