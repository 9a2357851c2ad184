import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../cluster.ts';
import type { Pool } from '../pool.ts';

/** Returns the cached members. The watch of pods may be behind the watch of pools. */
export async function remainingMembers(
  _cluster: Cluster,
  _pool: Pool,
  cached: readonly V1Pod[],
): Promise<readonly V1Pod[]> {
  return cached;
}
