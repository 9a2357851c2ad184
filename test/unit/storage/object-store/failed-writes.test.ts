import { describe, expect, test } from '@jest/globals';
import type { WatchCache } from '../../../../runtime/storage/cache/watch-cache.ts';
import { StorageError } from '../../../../runtime/storage/errors.ts';
import { SlabAllocator } from '../../../../runtime/storage/mvcc/slab-allocator.ts';
import { CachedCollection, type CollectionOptions } from '../../../../runtime/storage/object-store/collection.ts';
import { pod, pods } from '../../../contract/storage/describe-object-store.ts';

/** Returns a collection over an engine that only responds to writes. */
function collectionWith(write: () => Promise<unknown>): { collection: CachedCollection; slabs: SlabAllocator } {
  const slabs = new SlabAllocator();
  const parts = {
    engine: { write },
    pending: new Map(),
    reader: { attributesOf: () => ({ labels: {}, selectable: {}, changesWhenRead: undefined }) },
    keys: { namespaced: true, prefix: '/registry/pods/' },
    encode: (value: unknown) => slabs.write(JSON.stringify(value)),
    slabs,
  };
  const cache = {} as WatchCache;
  return { collection: new CachedCollection(pods, cache, parts as unknown as CollectionOptions), slabs };
}

function largePod(at: number) {
  const object = pod('ns', `p${at}`);
  object.metadata.annotations = { padding: 'x'.repeat(10_000) };
  return object;
}

describe('encodings of failed writes are not retained', () => {
  const writes = 500;
  const failing = {
    'that fails': () => Promise.reject(new StorageError('unavailable', 'the disk is full')),
    'that is rejected': () => Promise.resolve({ ok: false }),
  };
  for (const [what, write] of Object.entries(failing)) {
    test(what, async () => {
      const { collection, slabs } = collectionWith(write);
      for (let at = 0; at < writes; at += 1) await collection.create(largePod(at)).catch(() => undefined);
      // the slab being filled
      expect(slabs.held).toBeLessThanOrEqual(2 ** 20);
    });
  }
});
