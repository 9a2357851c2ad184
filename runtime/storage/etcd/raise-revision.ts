import { toStorageError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

/** A key that only this module uses, outside of API servers' prefixes. */
const key = 'kubeloom_raise_revision';

/** The number of concurrent writes. */
const atOnce = 256;

/**
 * Raises etcd's revision beyond `revision` by as many writes of one key, the only way while etcd runs.
 *
 * @param onRevision called with reached revisions
 * @throws StorageError
 */
export async function raiseRevision(client: EtcdClient, revision: number, onRevision: (reached: number) => void): Promise<void> {
  const put = { compare: [], success: [{ put: { key, value: Buffer.of(0) } }], failure: [] };
  try {
    let { revision: reached } = await client.range({ key, keysOnly: true });
    if (reached >= revision) return;
    while (reached < revision) {
      const writes = Array.from({ length: Math.min(atOnce, revision - reached) }, () => client.txn(put));
      for (const response of await Promise.all(writes)) reached = Math.max(reached, response.revision);
      onRevision(reached);
    }
    await client.txn({ compare: [], success: [{ deleteRange: { key } }], failure: [] });
  } catch (error) {
    throw toStorageError(error, false);
  }
}
