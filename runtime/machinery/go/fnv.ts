/** Returns the 32-bit FNV-1a hash of a text, as an unsigned number. (Go hash/fnv New32a) */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Returns the 32-bit FNV-1 hash of a text, as an unsigned number. (Go hash/fnv New32) */
export function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash >>> 0;
}

/** Returns the 64-bit FNV-1 hash of a text, highest byte first, as Go's hash/fnv writes it. */
export function fnv64(text: string): Buffer {
  // the prime is 2^40 + 0x1b3: with halves, all products are exact
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of Buffer.from(text)) {
    const product = low * 0x1b3;
    high = (high * 0x1b3 + low * 0x100 + Math.floor(product / 2 ** 32)) % 2 ** 32;
    low = ((product % 2 ** 32) ^ byte) >>> 0;
  }
  const hash = Buffer.alloc(8);
  hash.writeUInt32BE(high);
  hash.writeUInt32BE(low, 4);
  return hash;
}
