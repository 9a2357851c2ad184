import type { Catalog } from '../../machinery/catalog.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import { type LargeValueCodec, StorageCodec, type StorageMediaType } from '../../storage/storage-codec/storage-codec.ts';
import { storedKinds } from './stored-kinds.ts';

export interface StorageCodecParts {
  readonly mediaType: StorageMediaType;
  /** Kubernetes' own groups, as far as this server has their code. */
  readonly builtin: Catalog;
  readonly features: Pick<FeatureGates, 'CBORServingAndStorage'>;
  readonly large?: LargeValueCodec | undefined;
}

/** How objects lie in etcd. Groups of one's own are JSON, as those of upstream's sample-apiserver. */
export function newStorageCodec({ mediaType, builtin, features, large }: StorageCodecParts): StorageCodec {
  const kinds = storedKinds(builtin);
  return new StorageCodec({ mediaType, kinds, customAsCbor: features.CBORServingAndStorage, large });
}
