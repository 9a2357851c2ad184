import { type Cluster, codeOf } from '../cluster.ts';
import { finalizer, type Pool } from '../pool.ts';

/** With the newest resourceVersion, the write succeeds, and undoes what somebody else has changed. */
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
