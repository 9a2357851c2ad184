/** Decodes %XX. Bytes that are not UTF-8 become U+FFFD. Returns undefined for an incomplete or invalid escape. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return /%(?![0-9a-fA-F]{2})/.test(text) ? undefined : decodeBytes(Buffer.from(text, 'utf8'));
  }
}

/** Decodes in place. Every escape must be valid. */
function decodeBytes(bytes: Buffer): string {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const isEscape = byte === 0x25;
    bytes[length++] = isEscape ? hexDigit(bytes[at + 1] ?? 0) * 16 + hexDigit(bytes[at + 2] ?? 0) : byte;
    if (isEscape) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/** The value of a hexadecimal digit: letters have bit 64 set, and count from one. */
const hexDigit = (code: number): number => (code & 15) + (code & 64 ? 9 : 0);
