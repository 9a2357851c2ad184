import type { Cluster } from '../cluster.ts';
import type { Pool, PoolStatus } from '../pool.ts';

/** Writes a status only if it changed. */
export async function writeStatus(cluster: Cluster, pool: Pool, status: PoolStatus): Promise<void> {
  const { members, observedGeneration } = pool.status ?? {};
  if (members === status.members && observedGeneration === status.observedGeneration) return;
  await cluster.replacePoolStatus({ ...pool, status });
}
