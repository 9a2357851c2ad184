import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Catalog } from '../../machinery/catalog.ts';
import { type Clock, systemClock } from '../../machinery/clock.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { Logger } from '../../machinery/logger.ts';
import { isServerClock } from '../../machinery/server-clock.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import { type ObjectStoreOptions, openObjectStore } from '../../storage/object-store/object-store.ts';
import { OverriddenObjectStore } from '../../storage/object-store/overridden-store.ts';
import type { LargeValueCodec, StorageCodec, StorageMediaType } from '../../storage/storage-codec/storage-codec.ts';
import type { EncryptionConfig } from '../../storage/value/encryption-config/encryption-config.ts';
import type { Recorder } from '../../testkit/recording/recorder.ts';
import type { Replay } from '../../testkit/recording/replay.ts';
import { forThreads, type ReleaseGroups } from '../groups/groups.ts';
import type { EtcdBackend, EtcdOverride, ServerEtcd } from './etcd.ts';
import { storageMediaType } from './storage-media-type.ts';
import { claimStore } from './stored-release.ts';

/** @throws OptionError for an invalid file */
export async function loadEncryption(
  { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reload = false }: ServerOptions,
  clock: Clock,
  logger: Logger,
): Promise<EncryptionConfig | undefined> {
  if (path === undefined) {
    if (!reload) return undefined;
    throw new OptionError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
  }
  const { EncryptionConfig } = await import('../../storage/value/encryption-config/encryption-config.ts');
  return EncryptionConfig.load({ path, reload, clock, logger });
}

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

/**
 * Opens the store of the options. Loads only the engine in use.
 *
 * @throws OptionError for invalid options, StorageError if the store cannot be opened
 */
export async function openStorage(options: ServerOptions, parts: StorageParts): Promise<OpenedStorage> {
  const { clock, logger, catalogs, builtinCatalog, features, encryption } = parts;
  const { transformers } = encryption ?? {};
  const resources = catalogs
    .flatMap(({ groupVersions }) => groupVersions)
    .flatMap(({ resources }) => resources)
    .filter(({ stored, storageGroup }) => stored && storageGroup === undefined);
  const common = {
    transformers,
    resources,
    clock,
    compactionWindowMs: options.compactionWindow,
    keepsHistory: options.history === 'all',
  };
  const mediaType = storageMediaType(options);
  let recording: Promise<void> | undefined;
  const { recorder } = parts;
  const onOpen: ObjectStoreOptions['onOpen'] =
    recorder &&
    ((engine, root) => {
      recording = recorder.follow(engine, root);
    });
  if (storageOf(options) !== 'etcd') {
    const opened = await openLocalStore(options, parts, { ...common, onOpen });
    await recording;
    return opened;
  }
  const [{ etcdRoot, openEtcd }, { newStorageCodec }] = await Promise.all([import('./etcd.ts'), import('./storage-codec.ts')]);
  const newThread = await codecThreads(options, mediaType, parts);
  const newCodec = (): StorageCodec => newStorageCodec({ mediaType, builtin: builtinCatalog, features, large: newThread?.() });
  // etcd uses the real time
  const etcd = await openEtcd(options, { clock: isServerClock(clock) ? systemClock : clock, logger, resources });
  const open = ({ engine }: EtcdBackend, listening?: Pick<ObjectStoreOptions, 'onOpen'>): ObjectStore =>
    openObjectStore({ ...common, ...listening, codec: newCodec(), engine, prefix: etcdRoot(options) });
  const store = open(etcd, { onOpen });
  await recording;
  return { etcd, store: withOverrides(store, etcd.overrides, open) };
}

function withOverrides(store: ObjectStore, overrides: readonly EtcdOverride[], open: (backend: EtcdBackend) => ObjectStore): ObjectStore {
  if (overrides.length === 0) return store;
  const byPrefix = overrides.flatMap((override) => {
    const other = open(override);
    return override.resourcePrefixes.map((prefix) => [prefix, other] as const);
  });
  return new OverriddenObjectStore(store, new Map(byPrefix));
}

/**
 * Returns a factory of codecs. A codec's thread starts at the first large value. Undefined if threads are disabled or
 * cannot load the groups.
 */
async function codecThreads(
  { workerThreshold }: ServerOptions,
  mediaType: StorageMediaType,
  { builtin, features, clock }: StorageParts,
): Promise<(() => LargeValueCodec) | undefined> {
  const groups = forThreads(builtin);
  if (groups === undefined || workerThreshold === Number.POSITIVE_INFINITY) return undefined;
  const { CodecThread } = await import('../workers/codec-thread.ts');
  const data = { builtin: groups, mediaType, customAsCbor: features.CBORServingAndStorage };
  return () => new CodecThread(data, clock);
}

async function openLocalStore(
  options: ServerOptions,
  { clock, logger, minor, replay }: StorageParts,
  common: Omit<ObjectStoreOptions, 'engine'>,
): Promise<OpenedStorage> {
  const { dataDir = 'data', unsafeNoFsync } = options;
  if (replay !== undefined) {
    const store = openObjectStore({ ...common, engine: replay.engine, prefix: replay.root });
    await replay.fill(store);
    return { store };
  }
  if (storageOf(options) === 'memory') {
    const { createMemoryEngine } = await import('../../storage/memory/memory-engine.ts');
    return { store: openObjectStore({ ...common, engine: createMemoryEngine(clock) }) };
  }
  const { openLmdbEngine } = await import('../../storage/lmdb/lmdb-engine.ts');
  const engine = await openLmdbEngine({ path: dataDir, unsafeNoFsync, clock, logger });
  try {
    await claimStore(engine, `v1.${minor}`, dataDir);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const store = openObjectStore({ ...common, engine });
  return { store, checkWritable: () => engine.checkWritable(), lost: engine.lost };
}
