import type { Catalog } from '../machinery/catalog.ts';
import { quote } from '../machinery/go/quote.ts';
import { StorageCodec, type StorageMediaType } from '../storage/storage-codec/storage-codec.ts';
import type { FeatureGates } from './feature-gates.ts';
import { OptionError, type ServerOptions } from './options.ts';
import { storedKinds } from './stored-kinds.ts';

/** In the order in which errors name them. */
const mediaTypes: readonly StorageMediaType[] = [
  'application/json',
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
];

/** @throws OptionError (pkg/server/options/etcd.go Validate) */
export function storageMediaType({ storageMediaType: text }: ServerOptions): StorageMediaType {
  if (text === undefined) return 'application/vnd.kubernetes.protobuf';
  if (text === '') return 'application/json';
  const known = mediaTypes.find((mediaType) => mediaType === text);
  if (known !== undefined) return known;
  throw new OptionError(`--storage-media-type ${quote(text)} invalid, allowed values: ${mediaTypes.join(', ')}`);
}

/**
 * How objects lie in etcd. Groups of one's own are JSON, as those of upstream's sample-apiserver.
 *
 * @param builtin Kubernetes' own groups, as far as this server has their code
 * @throws OptionError for an unknown media type
 */
export function newStorageCodec(options: ServerOptions, builtin: Catalog, features: FeatureGates): StorageCodec {
  const mediaType = storageMediaType(options);
  return new StorageCodec({ mediaType, customAsCbor: features.CBORServingAndStorage, kinds: storedKinds(builtin) });
}
