/** The longest key, in UTF-8 bytes. (LMDB's own limit with 4 KiB pages is 1,978) */
export const maxKeyBytes = 1024;

/** Throws a TypeError for keys that no engine can store. Only a bug creates them. */
export function checkKey(key: string): void {
  if (key === '' || key.includes('\0')) throw new TypeError(`invalid storage key: ${JSON.stringify(key)}`);
  // a UTF-16 unit takes at most three bytes
  if (key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes) {
    throw new TypeError(`storage key of more than ${maxKeyBytes} bytes: ${key.slice(0, 64)}...`);
  }
}

/**
 * Returns the UTF-8 bytes of the key as code units, so that JavaScript's string order is the order of bytes. For ASCII
 * keys, the result equals the key, but is a new flat string: V8 compares slices of other strings, which most keys are,
 * ten times slower.
 */
export function orderKey(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1');
}

const ascii = /^[\0-\x7f]*$/;

/** The inverse of orderKey. */
export function plainKey(ordered: string): string {
  return ascii.test(ordered) ? ordered : Buffer.from(ordered, 'latin1').toString('utf8');
}
