import type { Cluster } from '../cluster.ts';
import { finalizer, type Pool } from '../pool.ts';

/** A conflict is a failure: the queue tries again, with the pool as it is then. */
export async function claim(cluster: Cluster, pool: Pool): Promise<void> {
  const finalizers = [...(pool.metadata.finalizers ?? []), finalizer];
  await cluster.replacePool({ ...pool, metadata: { ...pool.metadata, finalizers } });
}
