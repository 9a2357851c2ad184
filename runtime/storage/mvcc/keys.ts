/** The longest key, in UTF-8 bytes. (LMDB's own limit with 4 KiB pages is 1,978) */
const maxKeyBytes = 1024;

/** Refuses what no engine stores. Keys are made by our own code, so a bad one is a mistake in it. */
export function checkKey(key: string): void {
  if (key === '' || key.includes('\0')) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`);
  // A UTF-16 unit takes at most three bytes.
  if (key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes) {
    throw new TypeError(`storage key of more than ${maxKeyBytes} bytes: ${key.slice(0, 64)}...`);
  }
}

/**
 * The key's UTF-8 bytes as code units: a string whose order, JavaScript's own, is the order of those bytes; for
 * ASCII the key itself. Made anew and flat: V8 compares such strings inline, and pieces of other strings, which keys
 * mostly are, ten times slower.
 */
export function orderKey(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1');
}

const ascii = /^[\0-\x7f]*$/;

/** The key that has this order key. */
export function plainKey(ordered: string): string {
  return ascii.test(ordered) ? ordered : Buffer.from(ordered, 'latin1').toString('utf8');
}
