import type { ServerOptions } from '../../options/server-options.ts';
import type { LargeValueCodec, StorageMediaType } from '../../storage/storage-codec/storage-codec.ts';
import { groupsForThreads } from '../groups/groups.ts';
import type { StorageParts } from './storage-parts.ts';

/**
 * Returns a factory of codecs. A codec's thread starts at the first large value. Undefined if threads are disabled or
 * cannot load the groups.
 */
export async function codecThreads(
  { workerThreshold }: ServerOptions,
  mediaType: StorageMediaType,
  { builtin, features, clock }: StorageParts,
): Promise<(() => LargeValueCodec) | undefined> {
  const groups = groupsForThreads(builtin);
  if (groups === undefined || workerThreshold === Number.POSITIVE_INFINITY) return undefined;
  const { CodecThread } = await import('../workers/codec-thread.ts');
  const data = { builtin: groups, mediaType, customAsCbor: features.CBORServingAndStorage };
  return () => new CodecThread(data, clock);
}
