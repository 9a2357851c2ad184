import { type Cluster, codeOf } from '../cluster.ts';
import { memberName, type Pool } from '../pool.ts';

/** Creates a member with a fixed name. If the name exists, an earlier attempt has succeeded. */
export async function addMember(cluster: Cluster, pool: Pool, ordinal: number): Promise<void> {
  try {
    await cluster.createMember(pool, { name: memberName(pool, ordinal) });
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
  }
}
