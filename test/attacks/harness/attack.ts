/** The input from an attacker: an HTTP request, or raw bytes. */
export type Sent = Request | Raw;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the administrator, by certificate. */
  readonly as?: Who;
}

/** A separate client certificate; `anonymous` has none. */
export type Who = 'admin' | 'anonymous' | { readonly cert: string; readonly key: string };

export interface Raw {
  /** The pieces to write in order. */
  readonly wire: readonly (string | Uint8Array)[];
  readonly as?: Who;
  /** Milliseconds between the pieces; default none. */
  readonly pause?: number;
  /** The protocol that the client speaks; default HTTP/1.1. `plain` is without TLS. */
  readonly speaks?: 'http/1.1' | 'h2' | 'plain';
  /** The client half-closes the connection after writing. */
  readonly ends?: boolean;
  /** The client disconnects after so many milliseconds and expects no response. */
  readonly leavesAfter?: number;
  /** The client never reads. */
  readonly isDeaf?: boolean;
  /** The client reads until this text arrives after the head of the response. */
  readonly until?: string;
}

/** One row of the tables: the request and its expected outcome. */
export interface Attack {
  readonly name: string;
  /** Called when its turn comes: bodies are large. */
  readonly send: () => Sent;
  /** Expected codes; `hungUp` is a connection that ends without a response. */
  readonly codes: readonly number[];
  /** A text in the response, if it is predictable. */
  readonly message?: string | RegExp;
  /** The allowed growth of resident memory, in bytes. Default: unlimited. */
  readonly maxGrown?: number;
  /** The response does not end. Its headers suffice. */
  readonly streams?: boolean;
}

/** The code of a connection that ended without a response. */
export const hungUp = 0;

/** A mutating webhook. */
export interface PatchingHook {
  /** Its name, and that of the objects that it is called for. */
  readonly name: string;
  /** As in `apps/v1`; `/v1` for the core group. */
  readonly groupVersion: string;
  readonly resource: string;
  readonly patch: () => readonly object[];
}

/** Attacks on one server. */
export interface Attacks {
  readonly title: string;
  readonly flags?: readonly string[];
  /** Sent before the first row; each must succeed. */
  readonly setup?: readonly Request[];
  /** Paths that must respond 200 before the first row. */
  readonly serves?: readonly string[];
  /** Mutating webhooks that are called for objects of their name. */
  readonly hooks?: readonly PatchingHook[];
  /** Sent after `serves`, like `setup`. */
  readonly objects?: readonly Request[];
  readonly rows: readonly Attack[];
}

/** Bytes of the body, or of all raw bytes. */
export function bytesOf(sent: Sent): number {
  if ('wire' in sent) return sent.wire.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  return Buffer.byteLength(sent.body ?? '') + sent.path.length;
}
