import { type Cluster, codeOf } from '../cluster.ts';
import type { Pool } from '../pool.ts';

/** If there was no answer, the member may have been created all the same. */
export async function addMember(cluster: Cluster, pool: Pool): Promise<void> {
  const create = () => cluster.createMember(pool, { generateName: `${pool.metadata.name}-` });
  try {
    await create();
  } catch (error) {
    if (codeOf(error) !== undefined) throw error;
    await create();
  }
}
