import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { readFields, readInt64, writeInt64 } from './wire.ts';

export interface Lease {
  /** 64 bits. */
  readonly id: bigint;
  readonly ttlSeconds: number;
}

/** LeaseGrantRequest; etcd chooses the ID. */
export function encodeLeaseGrant(ttlSeconds: number): Uint8Array {
  const writer = new BinaryWriter();
  writeInt64(writer, 1, ttlSeconds);
  return writer.finish();
}

export function decodeLeaseGrant(message: Uint8Array): Lease {
  const reader = new BinaryReader(message);
  let [id, ttlSeconds] = [0n, 0];
  readFields(reader, reader.len, (field) => {
    if (field === 2) id = BigInt(reader.int64());
    else if (field === 3) ttlSeconds = readInt64(reader);
    else return false;
    return true;
  });
  return { id, ttlSeconds };
}

/** LeaseTimeToLiveRequest. */
export function encodeLeaseTimeToLive(id: bigint): Uint8Array {
  return new BinaryWriter().tag(1, WireType.Varint).int64(id).finish();
}

/** Returns the remaining seconds in a LeaseTimeToLiveResponse; -1 if the lease does not exist. */
export function decodeLeaseTimeToLive(message: Uint8Array): number {
  const reader = new BinaryReader(message);
  let seconds = 0;
  readFields(reader, reader.len, (field) => {
    if (field !== 3) return false;
    seconds = readInt64(reader);
    return true;
  });
  return seconds;
}
