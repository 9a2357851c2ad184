import { compactRevKey } from './compactor.ts';
import { isCompacted, isFuture } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

/**
 * Returns the oldest readable revision. etcd does not report it, so this is a binary search; the value of compactRevKey
 * is mostly right.
 *
 * @param oldest a compacted revision, or 0
 * @param newest a readable revision
 */
export async function oldestReadable(client: EtcdClient, oldest: number, newest: number): Promise<number> {
  const canRead = async (revision: number): Promise<boolean> => {
    try {
      await client.range({ key: compactRevKey, revision, keysOnly: true });
      return true;
    } catch (error) {
      if (isCompacted(error)) return false;
      // a member that lags behind cannot have compacted this revision
      if (isFuture(error)) return true;
      throw error;
    }
  };
  let [compacted, readable] = [oldest, newest];
  const halve = async (at: number): Promise<void> => {
    if (at <= compacted || at >= readable) return;
    if (await canRead(at)) readable = at;
    else compacted = at;
  };
  const { kvs } = await client.range({ key: compactRevKey });
  const hint = Number(Buffer.from(kvs[0]?.value ?? []).toString());
  if (Number.isSafeInteger(hint)) {
    await halve(hint);
    await halve(hint - 1);
  }
  await halve(1);
  while (readable - compacted > 1) await halve(Math.floor((compacted + readable) / 2));
  return readable;
}
