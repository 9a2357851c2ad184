import type { Policy } from '../../authorization/rbac/policy.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import type { ServerCertificates } from '../certificates.ts';
import type { InheritedTokenKeys } from '../service-accounts.ts';

/** What a server has made of its objects. */
export interface CurrentParts {
  /** For the fork alone. */
  readonly policy: Policy;
  /** Absent if priority and fairness is disabled. */
  readonly flowControl: FlowControl | undefined;
}

/** What a fork has of the server that it is a fork of. */
export interface ForkOrigin {
  /** The fork's own store, which begins with the objects of the origin. */
  readonly store: ObjectStore;
  readonly certificates: ServerCertificates;
  /** PEM of the CAs of client certificates that are older than the fork. */
  readonly clientAuthorities: readonly string[];
  readonly tokenKeys: InheritedTokenKeys;
  /** False for a server without a port, which is reached from inside this process only. */
  readonly listen: boolean;
  /** The controllers that had something left to do. */
  readonly busy: ReadonlySet<string>;
  /** What has been made of the objects of now. Absent if the fork begins with earlier ones. */
  readonly current: CurrentParts | undefined;
}
