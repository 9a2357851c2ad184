import type { Duplex, Writable } from 'node:stream';

/** One connection to a port of a pod. */
export interface PortConnection {
  readonly port: number;
  readonly data: Duplex;
  /** What went wrong, as text. */
  readonly error: Writable;
  /** Ends both when something went wrong. */
  reset(): void;
}
