import type { Catalog } from '../../machinery/catalog.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import { type LargeValueCodec, StorageCodec, type StorageMediaType } from '../../storage/storage-codec/storage-codec.ts';
import { storedKinds } from './stored-kinds.ts';

export interface StorageCodecParts {
  readonly mediaType: StorageMediaType;
  /** Kubernetes' own groups, if this server has their code. */
  readonly builtin: Catalog;
  readonly features: Pick<FeatureGates, 'CBORServingAndStorage'>;
  readonly large?: LargeValueCodec | undefined;
}

/** Returns the format of objects in etcd. Custom API groups are JSON, like upstream's sample-apiserver. */
export function newStorageCodec({ mediaType, builtin, features, large }: StorageCodecParts): StorageCodec {
  const kinds = storedKinds(builtin);
  return new StorageCodec({ mediaType, kinds, customAsCbor: features.CBORServingAndStorage, large });
}
