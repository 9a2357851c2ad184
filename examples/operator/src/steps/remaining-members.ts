import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../cluster.ts';
import type { Pool } from '../pool.ts';

/** What is about to be forgotten is looked up once more: a cache may not have heard of all members yet. */
export function remainingMembers(cluster: Cluster, pool: Pool, _cached: readonly V1Pod[]): Promise<readonly V1Pod[]> {
  return cluster.listMembers(pool);
}
