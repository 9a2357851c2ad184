import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Catalog } from '../../machinery/catalog.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { Engine } from '../../storage/kv/engine.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import type { EncryptionConfig } from '../../storage/value/encryption-config/encryption-config.ts';
import type { Recorder } from '../../testkit/recording/recorder.ts';
import type { Replay } from '../../testkit/recording/replay.ts';
import type { ReleaseGroups } from '../groups/groups.ts';
import type { ServerEtcd } from './etcd.ts';

/** The parts of a server that its storage needs. */
export interface StorageParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  readonly catalogs: readonly Catalog[];
  readonly builtin: ReleaseGroups | ApiGroup;
  /** Kubernetes' own groups, served or not. */
  readonly builtinCatalog: Catalog;
  readonly features: FeatureGates;
  readonly encryption: EncryptionConfig | undefined;
  readonly recorder: Recorder | undefined;
  readonly replay: Replay | undefined;
  /** Follows the changes of the store. Absent for a server without a page. */
  readonly activityLog?: { follow(engine: Engine): void } | undefined;
}

export interface OpenedStorage {
  readonly store: ObjectStore;
  /** Present for etcd only. */
  readonly etcd?: ServerEtcd;
  /** Throws while an LMDB store cannot be written. */
  readonly checkWritable?: () => void;
  /** Resolves when the store becomes unusable. Absent for engines that cannot be lost. */
  readonly lost?: Promise<Error>;
}

/** Returns the storage engine of the options. */
export function storageOf({ storage, etcdServers = [] }: ServerOptions): 'memory' | 'lmdb' | 'etcd' {
  if (etcdServers.length === 0) return storage ?? 'memory';
  if (storage === undefined || storage === 'etcd') return 'etcd';
  throw new OptionError(`--etcd-servers cannot be used with --storage=${storage}`);
}
