import { type Cluster, codeOf } from '../cluster.ts';
import { memberName, type Pool } from '../pool.ts';

/** A member has the same name however often it is created: if it is there, an earlier attempt has succeeded. */
export async function addMember(cluster: Cluster, pool: Pool, ordinal: number): Promise<void> {
  try {
    await cluster.createMember(pool, { name: memberName(pool, ordinal) });
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
  }
}
