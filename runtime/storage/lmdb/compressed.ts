/** The first bytes of compressed values, which lmdb puts before their size and an LZ4 block. Other values are plain. */
const mark = { lowest: 250, short: 254, long: 255 };
/** The literals with which an LZ4 block must end. */
const lastLiterals = 5;

/**
 * Reports whether lmdb can decompress a value. If not, lmdb would print the whole value to stderr. Follows the lengths
 * in the LZ4 block without copying. (lmdb-js src/compression.cpp, LZ4 block format)
 *
 * @param bytes in the form of the data file; the value has `length` of them
 * @param dictionarySize of the dictionary that precedes the block
 */
export function canDecompress(bytes: Uint8Array, length: number, dictionarySize: number): boolean {
  const byte = (at: number): number => bytes[at] ?? 0;
  if (length === 0) return false;
  if (byte(0) < mark.lowest) return true;
  if (byte(0) === mark.short) {
    return length > 4 && blockSize(bytes, 4, length, dictionarySize) === (byte(1) << 16) + (byte(2) << 8) + byte(3);
  }
  if (byte(0) !== mark.long || length <= 8) return false;
  const size = byte(4) * 0x100_0000 + (byte(5) << 16) + (byte(6) << 8) + byte(7);
  return blockSize(bytes, 8, length, dictionarySize) === size;
}

/** Returns the decompressed size of an LZ4 block; -1 if it is invalid. */
function blockSize(bytes: Uint8Array, start: number, end: number, dictionarySize: number): number {
  let size = 0;
  for (let at = start; at < end; ) {
    const token = bytes[at] ?? 0;
    at += 1;
    let literals = token >> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255 && at < end) {
        more = bytes[at] ?? 0;
        literals += more;
        at += 1;
      }
    }
    at += literals;
    const hadMatch = size > 0;
    size += literals;
    if (at === end) return hadMatch && literals < lastLiterals ? -1 : size;
    const distance = at + 1 < end ? (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8) : 0;
    if (distance === 0 || distance > size + dictionarySize) return -1;
    at += 2;
    let match = token & 15;
    if (match === 15) {
      let more = 255;
      while (more === 255 && at < end) {
        more = bytes[at] ?? 0;
        match += more;
        at += 1;
      }
    }
    size += match + 4;
  }
  return -1;
}
