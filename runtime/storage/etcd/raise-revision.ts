import { toStorageError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

/** Of this module only, and not below the prefix of any API server. */
const key = 'kubeloom_raise_revision';

/** How many writes are on their way at a time. */
const atOnce = 256;

/**
 * Makes all later writes have revisions after `revision`, by writing one key that often: etcd has no other way to do that
 * while it runs. Throws StorageError.
 *
 * @param onRevision hears of the revisions on the way
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
