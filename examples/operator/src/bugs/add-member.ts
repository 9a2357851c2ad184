import { type Cluster, codeOf } from '../cluster.ts';
import type { Pool } from '../pool.ts';

/** Creates a member with a random name. After a lost response, the retry may create a second one. */
export async function addMember(cluster: Cluster, pool: Pool): Promise<void> {
  const create = () => cluster.createMember(pool, { generateName: `${pool.metadata.name}-` });
  try {
    await create();
  } catch (error) {
    if (codeOf(error) !== undefined) throw error;
    await create();
  }
}
