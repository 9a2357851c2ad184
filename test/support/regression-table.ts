import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Exchange, Request } from '../reference/random/exchange.ts';
import { valueAt } from '../rules/changes.ts';
import type { TestValue } from './test-object.ts';

/** A request that has been answered otherwise than by kube-apiserver, and its answer. */
export interface RegressionRow {
  readonly name: string;
  /** Requests before it, which succeed. */
  readonly given?: readonly Request[];
  readonly send: Request;
  readonly want: {
    readonly status: number;
    /** `…` stands for any text. */
    readonly message?: string;
    readonly warning?: string;
    /** Other headers by their names; "absent" if there must be none. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Members of the body by their paths; "absent" if there must be none. */
    readonly body?: Readonly<Record<string, TestValue>>;
  };
}

/** The rows of test/reference/regressions.yaml. */
export function regressionTable(): readonly RegressionRow[] {
  return parse(readFileSync(new URL('../reference/regressions.yaml', import.meta.url), 'utf8'));
}

/** Sends the requests of a row, and returns what it wants to know of the answer. @throws Error if one before it fails */
export async function regressionOutcome(server: Exchange, { given = [], send, want }: RegressionRow): Promise<RegressionRow['want']> {
  for (const request of given) {
    const { status, body } = await server.send(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path}: ${body?.message}`);
  }
  const { status, headers, body } = await server.send(send);
  const message = String(body?.message);
  const { warning } = headers;
  const found = Object.keys(want.body ?? {}).map((path) => {
    const value = valueAt(body, path);
    return [path, value === undefined ? 'absent' : value];
  });
  const foundHeaders = Object.fromEntries(Object.keys(want.headers ?? {}).map((name) => [name, headers[name] ?? 'absent']));
  return {
    status,
    ...(want.message === undefined ? {} : { message: isLike(message, want.message) ? want.message : message }),
    ...(want.warning === undefined ? {} : { warning }),
    ...(want.headers === undefined ? {} : { headers: foundHeaders }),
    ...(want.body === undefined ? {} : { body: Object.fromEntries(found) }),
  };
}

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('…');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return pattern.endsWith('…') || text.endsWith(parts[parts.length - 1]);
}
