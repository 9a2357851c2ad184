import type { ObjectStore } from '../../storage/object-store/contract.ts';
import type { ServerCertificates } from '../certificates.ts';

/** What a fork has of the server that it is a fork of. */
export interface ForkOrigin {
  /** The fork's own store, which begins with the objects of the origin. */
  readonly store: ObjectStore;
  readonly certificates: ServerCertificates;
  /** False for a server without a port, which is reached from inside this process only. */
  readonly listen: boolean;
  /** The controllers that had something left to do. */
  readonly busy: ReadonlySet<string>;
}
