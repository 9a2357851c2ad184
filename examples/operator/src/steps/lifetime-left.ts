import type { Clock } from '../clock.ts';
import type { Pool } from '../pool.ts';

/** Milliseconds until the pool is to be deleted. Infinity: never. */
export function lifetimeLeft({ metadata, spec }: Pool, clock: Clock): number {
  if (spec.lifetimeSeconds === undefined) return Infinity;
  const created = new Date(metadata.creationTimestamp ?? 0).getTime();
  return created + spec.lifetimeSeconds * 1000 - clock.now();
}
