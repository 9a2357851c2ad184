import type { Cluster } from '../cluster.ts';
import type { Pool, PoolStatus } from '../pool.ts';

/** Each write is an event, which makes the operator look at the pool, and write again. */
export async function writeStatus(cluster: Cluster, pool: Pool, status: PoolStatus): Promise<void> {
  await cluster.replacePoolStatus({ ...pool, status: { ...status, checkedAt: new Date().toISOString() } });
}
