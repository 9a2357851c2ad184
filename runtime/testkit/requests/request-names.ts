import { STATUS_CODES } from 'node:http';

/* The valid names in requests, so that matches and filters can reject misspelled ones. */

/** RBAC's verbs of resources, and the HTTP methods of other paths. */
const verbs = [
  ...(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'] as const),
  ...(['head', 'options', 'post', 'put'] as const),
];
export const knownVerbs: readonly string[] = verbs;

/** A verb, or its beginning and a `*`. */
export type RequestVerb = (typeof verbs)[number] | `${string}*`;

/** The status codes of errors. */
export type ErrorCode =
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417)
  | (421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511);

/** HTTP's status codes. */
export type StatusCode =
  | (100 | 101 | 102 | 103 | 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226)
  | (300 | 301 | 302 | 303 | 304 | 305 | 307 | 308)
  | ErrorCode;

/** Reports whether a request can have the verb. A `*` at the end matches any rest. */
export const isKnownVerb = (pattern: string): boolean =>
  pattern.endsWith('*') ? knownVerbs.some((verb) => verb.startsWith(pattern.slice(0, -1))) : knownVerbs.includes(pattern);

/** Codes of Node.js that no Kubernetes server sends. */
const jokes: ReadonlySet<number> = new Set([418]);

/** Reports whether HTTP has the status code. */
export const isKnownCode = (code: unknown): boolean => typeof code === 'number' && Object.hasOwn(STATUS_CODES, code) && !jokes.has(code);

export const isPath = (pattern: string): boolean => pattern.startsWith('/') || pattern === '*';

/** Reports whether every path of a pattern names a resource: paths below a group-version do. */
export const isResourcePath = (pattern: string): boolean => /^\/(api\/[^/*]+|apis\/[^/*]+\/[^/*]+)\/[^*]/.test(pattern);
