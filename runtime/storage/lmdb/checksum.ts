import { crc32 } from 'node:zlib';

const checksumBytes = 4;

/** Returns the value of an index entry, followed by a CRC-32 of its key and value. */
export function seal(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(value.length + checksumBytes);
  sealed.set(value);
  sealed.writeUInt32BE(crc32(value, crc32(key)), value.length);
  return sealed;
}

/** Returns the sealed value; undefined if the key or value has changed. */
export function unseal(key: Uint8Array, sealed: Buffer): Buffer | undefined {
  const size = sealed.length - checksumBytes;
  if (size < 0) return undefined;
  const value = sealed.subarray(0, size);
  // in a page, the value follows the key: one call for both is twice as fast
  const isAdjacent = key.buffer === sealed.buffer && key.byteOffset + key.length === sealed.byteOffset;
  const checksum = isAdjacent ? crc32(new Uint8Array(key.buffer, key.byteOffset, key.length + size)) : crc32(value, crc32(key));
  return sealed.readUInt32BE(size) === checksum ? value : undefined;
}

/** The checksum depends on the revision, so that misplaced records are detected. */
export function recordChecksum(bytes: Uint8Array, revision: number, type: number): number {
  return crc32(bytes, (revision % 2 ** 30) * 4 + type);
}
