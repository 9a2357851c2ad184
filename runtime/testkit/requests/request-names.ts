import { STATUS_CODES } from 'node:http';

/* The names that requests have, by which matches and filters know them from misspelt ones. */

/** What RBAC calls the verbs of resources, and the methods of other paths. */
export const knownVerbs = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'],
  ...['head', 'options', 'post', 'put'],
];

/** Whether a request can have the verb; a `*` at the end is any rest. */
export const isKnownVerb = (pattern: string): boolean =>
  pattern.endsWith('*')
    ? knownVerbs.some((verb) => verb.startsWith(pattern.slice(0, -1)))
    : knownVerbs.includes(pattern);

/** Codes that Node knows, but no server of Kubernetes sends. */
const jokes: ReadonlySet<number> = new Set([418]);

/** Whether HTTP has such a status. */
export const isKnownCode = (code: unknown): boolean =>
  typeof code === 'number' && Object.hasOwn(STATUS_CODES, code) && !jokes.has(code);

export const isPath = (pattern: string): boolean => pattern.startsWith('/') || pattern === '*';
