/** What a stranger sends: one HTTP request, or bytes as they are. */
export type Sent = Request | Raw;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the admin, by certificate. */
  readonly as?: Who;
}

/** A client certificate of its own; `nobody` has none. */
export type Who = 'admin' | 'nobody' | { readonly cert: string; readonly key: string };

export interface Raw {
  /** Written one after the other. */
  readonly wire: readonly (string | Uint8Array)[];
  readonly as?: Who;
  /** Milliseconds between the pieces; default none. */
  readonly pause?: number;
  /** What the client says it speaks; default HTTP/1.1. `plain` is without TLS. */
  readonly speaks?: 'http/1.1' | 'h2' | 'plain';
  /** The client says that it sends no more. */
  readonly ends?: boolean;
  /** The client hangs up after so many milliseconds and wants no answer. */
  readonly leavesAfter?: number;
}

/** One row of the tables: what is sent, and what comes of it. */
export interface Attack {
  readonly name: string;
  /** Made when its turn comes: bodies are large. */
  readonly send: () => Sent;
  /** Codes that are right; `hungUp` is a connection that ends without an answer. */
  readonly answers: readonly number[];
  /** What the answer says, where that is certain. */
  readonly says?: string | RegExp;
  /** The answer does not end: its head is enough. */
  readonly streams?: boolean;
}

/** In place of a code: the connection ended without an answer. */
export const hungUp = 0;

/** Attacks on one server. */
export interface Attacks {
  readonly title: string;
  readonly flags?: readonly string[];
  /** Sent before the first row; each must succeed. */
  readonly setup?: readonly Request[];
  /** Paths that answer 200 before the first row. */
  readonly serves?: readonly string[];
  /** Sent after that, like `setup`. */
  readonly objects?: readonly Request[];
  readonly rows: readonly Attack[];
}

/** Bytes of the body, or of everything that is written. */
export function bytesOf(sent: Sent): number {
  if ('wire' in sent) return sent.wire.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  return Buffer.byteLength(sent.body ?? '') + sent.path.length;
}
