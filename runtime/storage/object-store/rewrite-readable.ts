import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import type { Engine, Write } from '../kv/engine.ts';
import type { KeyedResource } from './keyed-resources.ts';

export interface RewriteOptions {
  readonly isClosed: () => boolean;
  readonly resourceOf: (key: string) => KeyedResource;
}

/**
 * Rewrites objects that can be transformed from storage again, because caches and watchers only learn of an object by a
 * write. Objects that still cannot be read or written stay unchanged.
 */
export async function rewriteReadable(
  engine: Engine,
  caches: Iterable<WatchCache>,
  { isClosed, resourceOf }: RewriteOptions,
): Promise<void> {
  const slice = new TimeSlice();
  for (const cache of caches) {
    for (const { key, revision, transformError } of cache.corrupt()) {
      if (isClosed()) return;
      if (transformError !== undefined) {
        const { ttlSeconds } = resourceOf(key);
        await rewrite(engine, { key, expect: revision, ttlSeconds }).catch(() => undefined);
      }
      if (slice.isOver) await slice.next();
    }
  }
}

type Rewrite = Pick<Extract<Write, { type: 'put' }>, 'key' | 'ttlSeconds'> & { readonly expect: number };

async function rewrite(engine: Engine, { key, expect, ttlSeconds }: Rewrite): Promise<void> {
  const stored = await engine.get(key);
  if (stored === undefined || stored.transformError !== undefined || stored.modRevision !== expect) return;
  await engine.write({ type: 'put', key, value: stored.value, expect, ttlSeconds });
}
