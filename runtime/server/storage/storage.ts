import { systemClock } from '../../machinery/clock.ts';
import { isServerClock } from '../../machinery/server-clock.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import { type ObjectStoreOptions, openObjectStore } from '../../storage/object-store/object-store.ts';
import { OverriddenObjectStore } from '../../storage/object-store/overridden-store.ts';
import type { StorageCodec } from '../../storage/storage-codec/storage-codec.ts';
import { codecThreads } from './codec-threads.ts';
import type { EtcdBackend, EtcdOverride } from './etcd.ts';
import { openLocalStore } from './local-store.ts';
import { storageMediaType } from './storage-media-type.ts';
import { type OpenedStorage, type StorageParts, storageOf } from './storage-parts.ts';

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
  const { recorder, activityLog } = parts;
  const onOpen: ObjectStoreOptions['onOpen'] = (engine, root) => {
    // first: see Recorder.follow
    recording = recorder?.follow(engine, root);
    activityLog?.follow(engine);
  };
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
