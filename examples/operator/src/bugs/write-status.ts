import type { Cluster } from '../cluster.ts';
import type { Pool, PoolStatus } from '../pool.ts';

/**
 * Writes the status even if it is unchanged. Each write is an event, which makes the operator reconcile and write
 * again.
 */
export async function writeStatus(cluster: Cluster, pool: Pool, status: PoolStatus): Promise<void> {
  await cluster.replacePoolStatus({ ...pool, status: { ...status, checkedAt: new Date().toISOString() } });
}
