import { isUtf8 } from 'node:buffer';

/**
 * Decodes UTF-8 as Go does: every byte that is not part of a valid sequence becomes U+FFFD. (TextDecoder makes one
 * U+FFFD of a truncated sequence of any length.)
 */
export function decodeGoUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  let text = '';
  let start = 0;
  let i = 0;
  while (i < bytes.length) {
    const size = sequenceLength(bytes, i);
    if (size === 0) {
      text += `${buffer.toString('utf8', start, i)}\ufffd`;
      start = i + 1;
    }
    i += size || 1;
  }
  return text + buffer.toString('utf8', start);
}

/** Returns the number of bytes of the valid sequence at `at`; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const size = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (size === 0 || at + size > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < size; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}
