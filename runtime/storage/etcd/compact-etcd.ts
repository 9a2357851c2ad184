import { GRPCError } from '../grpc/grpc-status.ts';
import { compactRevKey } from './compactor.ts';
import { isCompacted, toStorageError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

export interface EtcdCompaction {
  readonly revision: number;
  readonly compactedRevision: number;
  /** Defragments one member after the other, so that the others can respond. Throws StorageError. */
  readonly defragmented: AsyncIterable<DefragmentedMember>;
}

export interface DefragmentedMember {
  readonly url: string;
  /** The size of the member's data file. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Discards the history before `revision` (default: the newest), for all users of etcd.
 *
 * @throws StorageError `unavailable`, also for a revision that does not exist yet
 */
export async function compactEtcd(client: EtcdClient, revision?: number): Promise<EtcdCompaction> {
  try {
    const { revision: newest } = await client.range({ key: compactRevKey, keysOnly: true });
    const oldest = revision ?? newest;
    await client.compact(oldest).catch((error: unknown) => {
      // a later revision was compacted already
      if (!isCompacted(error)) throw error;
    });
    return { revision: newest, compactedRevision: oldest - 1, defragmented: defragmented(client) };
  } catch (error) {
    throw toStorageError(error, false);
  }
}

async function* defragmented(client: EtcdClient): AsyncGenerator<DefragmentedMember, void, undefined> {
  for (const connection of client.connections) {
    try {
      const { dbSize: bytesBefore } = await client.status(connection);
      await client.defragment(connection);
      const { dbSize: bytesAfter } = await client.status(connection);
      yield { url: connection.endpoint.url, bytesBefore, bytesAfter };
    } catch (error) {
      throw error instanceof GRPCError ? toStorageError(error, false) : error;
    }
  }
}
