/** The longest key, in UTF-8 bytes. (LMDB's own limit with 4 KiB pages is 1,978) */
export const maxKeyBytes = 1024;

/** Throws a TypeError for keys that no engine stores: only a bug can make one. */
export function checkKey(key: string): void {
  if (key === '' || key.includes('\0')) throw new TypeError(`invalid storage key: ${JSON.stringify(key)}`);
  // A UTF-16 unit takes at most three bytes.
  if (key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes) {
    throw new TypeError(`storage key of more than ${maxKeyBytes} bytes: ${key.slice(0, 64)}...`);
  }
}

/**
 * The UTF-8 bytes of the key as code units, so that JavaScript's string order is the order of the bytes. For ASCII keys it
 * equals the key, but it is always a new flat string: V8 compares slices of other strings, which keys mostly are, ten times
 * slower.
 */
export function orderKey(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1');
}

const ascii = /^[\0-\x7f]*$/;

/** The inverse of orderKey. */
export function plainKey(ordered: string): string {
  return ascii.test(ordered) ? ordered : Buffer.from(ordered, 'latin1').toString('utf8');
}
