import { type Cluster, codeOf } from '../cluster.ts';
import { finalizer, type Pool } from '../pool.ts';

/** Retries a conflict with the newest resourceVersion. The write then undoes another client's change. */
export async function claim(cluster: Cluster, pool: Pool): Promise<void> {
  const finalizers = [...(pool.metadata.finalizers ?? []), finalizer];
  try {
    await cluster.replacePool({ ...pool, metadata: { ...pool.metadata, finalizers } });
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    const { resourceVersion = '' } = (await cluster.readPool(pool)).metadata;
    await cluster.replacePool({ ...pool, metadata: { ...pool.metadata, finalizers, resourceVersion } });
  }
}
