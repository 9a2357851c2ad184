import type { Pool } from '../pool.ts';

/**
 * Reads the machine's clock instead of the timers' clock. Tests cannot advance it, and on some machines it is wrong.
 */
export function lifetimeLeft({ metadata, spec }: Pool): number {
  if (spec.lifetimeSeconds === undefined) return Infinity;
  const created = new Date(metadata.creationTimestamp ?? 0).getTime();
  return created + spec.lifetimeSeconds * 1000 - Date.now();
}
