import type { Cluster } from '../cluster.ts';
import { finalizer, type Pool } from '../pool.ts';

/** Adds the finalizer. A conflict is a failure: the queue tries again with the changed pool. */
export async function claim(cluster: Cluster, pool: Pool): Promise<void> {
  const finalizers = [...(pool.metadata.finalizers ?? []), finalizer];
  await cluster.replacePool({ ...pool, metadata: { ...pool.metadata, finalizers } });
}
