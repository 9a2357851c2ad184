import type { Catalog } from '../machinery/catalog.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { Engine } from '../storage/kv/engine.ts';
import type { ObjectStore } from '../storage/object-store/contract.ts';
import { openObjectStore } from '../storage/object-store/object-store.ts';
import type { EncryptionConfig } from './encryption-config/encryption-config.ts';
import { OptionError, type ServerOptions } from './options.ts';

/** @throws OptionError for an invalid file */
export async function loadEncryption(
  { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reload = false }: ServerOptions,
  clock: Clock,
  logger: Logger,
): Promise<EncryptionConfig | undefined> {
  if (path === undefined) {
    if (!reload) return undefined;
    throw new OptionError(
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    );
  }
  const { EncryptionConfig } = await import('./encryption-config/encryption-config.ts');
  return EncryptionConfig.load({ path, reload, clock, logger });
}

export interface StorageParts {
  readonly clock: Clock;
  readonly catalogs: readonly Catalog[];
  readonly encryption: EncryptionConfig | undefined;
}

/** Opens the store that the options name. Loads only the engine in use. */
export async function openStorage(
  options: ServerOptions,
  { clock, catalogs, encryption }: StorageParts,
): Promise<ObjectStore> {
  const engine = await openEngine(options);
  const { transformers } = encryption ?? {};
  const resources = catalogs
    .flatMap(({ groupVersions }) => groupVersions)
    .flatMap(({ resources }) => resources)
    .filter(({ stored, storageGroup }) => stored && storageGroup === undefined);
  return openObjectStore({ engine, transformers, resources, clock, compactionWindowMs: options.compactionWindow });
}

async function openEngine({ storage = 'memory', dataDir = 'data', unsafeNoFsync }: ServerOptions): Promise<Engine> {
  if (storage === 'memory') return (await import('../storage/memory/memory-engine.ts')).createMemoryEngine();
  return (await import('../storage/lmdb/lmdb-engine.ts')).openLmdbEngine({ path: dataDir, unsafeNoFsync });
}
