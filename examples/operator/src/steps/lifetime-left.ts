import type { Clock } from '../clock.ts';
import type { Pool } from '../pool.ts';

/** Returns the milliseconds until the pool is due for deletion. Infinity: never. */
export function lifetimeLeft({ metadata, spec }: Pool, clock: Clock): number {
  if (spec.lifetimeSeconds === undefined) return Infinity;
  const created = new Date(metadata.creationTimestamp ?? 0).getTime();
  return created + spec.lifetimeSeconds * 1000 - clock.now();
}
