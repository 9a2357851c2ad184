import type { Flag, ParsedFlags } from '../../machinery/options/flags.ts';
import type { OptionFlag } from '../../options/option-row.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import type { StorageCodec } from '../../storage/storage-codec/storage-codec.ts';
import { optionFlags, parsedFlag } from '../serve-flags.ts';
import { EtcdPlace } from './etcd-place.ts';
import { LmdbPlace } from './lmdb-place.ts';
import type { StorePlace } from './place.ts';

const named = (...names: readonly string[]): readonly OptionFlag[] => optionFlags.filter(({ flag }) => names.includes(flag));

const etcd = named('etcd-servers', 'etcd-prefix', 'etcd-cafile', 'etcd-certfile', 'etcd-keyfile');
const folder = named('data-dir');
/** The server's flags about the values in etcd. */
const values = named('storage-media-type', 'feature-gates');

/** The server's flags that name a store: a folder, or etcd if servers of it are given. */
export const placeFlags: readonly Flag[] = [...folder, ...etcd].map(parsedFlag);

/** Flags of actions that write values to etcd. */
export const valueFlags: readonly Flag[] = values.map(parsedFlag);

/** Returns the folder of --data-dir. */
export const dataDir = (flags: ParsedFlags): string => flags.string('data-dir') ?? '';

export const isEtcd = (flags: ParsedFlags): boolean => flags.list('etcd-servers').length > 0;

/** Returns the store that the flags name. Throws OptionError and UsageError for invalid flags. */
export async function placeOf(flags: ParsedFlags): Promise<StorePlace> {
  return isEtcd(flags) ? etcdPlaceOf(flags) : lmdbPlaceOf(flags);
}

export const lmdbPlaceOf = (flags: ParsedFlags): LmdbPlace => new LmdbPlace(dataDir(flags), () => codecOf(flags));

export async function etcdPlaceOf(flags: ParsedFlags): Promise<EtcdPlace> {
  return EtcdPlace.of(optionsOf(flags, etcd), () => codecOf(flags));
}

async function codecOf(flags: ParsedFlags): Promise<StorageCodec> {
  const [{ newStorageCodec }, { storageMediaType }, { builtinGroup }, { defaultRelease }, { parseFeatureGates }] = await Promise.all([
    import('../../server/storage/storage-codec.ts'),
    import('../../server/storage/storage-media-type.ts'),
    import('../../server/groups/groups.ts'),
    import('../../machinery/release.ts'),
    import('../../machinery/feature-gates/feature-gates.ts'),
  ]);
  const options = optionsOf(flags, values);
  return newStorageCodec({
    mediaType: storageMediaType(options),
    builtin: (await builtinGroup({ release: defaultRelease, groups: 'all' })).catalog,
    features: parseFeatureGates(options.featureGates ?? []),
  });
}

function optionsOf(flags: ParsedFlags, chosen: readonly OptionFlag[]): ServerOptions {
  return Object.fromEntries(chosen.map(({ flag, option, value }) => [option, value.read(flags, flag)]));
}
