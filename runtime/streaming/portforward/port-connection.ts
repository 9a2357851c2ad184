import type { Duplex, Writable } from 'node:stream';

/** One connection to a port of a pod. */
export interface PortConnection {
  readonly port: number;
  readonly data: Duplex;
  /** The stream for an error, as text. */
  readonly error: Writable;
  /** Ends both streams after a failure. */
  reset(): void;
}
