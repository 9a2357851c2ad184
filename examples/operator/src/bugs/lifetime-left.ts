import type { Pool } from '../pool.ts';

/** Timers follow one clock, and this another: no test can advance it, and on some machines it is wrong. */
export function lifetimeLeft({ metadata, spec }: Pool): number {
  if (spec.lifetimeSeconds === undefined) return Infinity;
  const created = new Date(metadata.creationTimestamp ?? 0).getTime();
  return created + spec.lifetimeSeconds * 1000 - Date.now();
}
