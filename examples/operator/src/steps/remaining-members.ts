import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../cluster.ts';
import type { Pool } from '../pool.ts';

/** Lists the members again before the pool is released: the cache may not have seen all of them. */
export function remainingMembers(cluster: Cluster, pool: Pool, _cached: readonly V1Pod[]): Promise<readonly V1Pod[]> {
  return cluster.listMembers(pool);
}
