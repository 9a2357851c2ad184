/** The longest key, in UTF-8 bytes. (LMDB's own limit with 4 KiB pages is 1,978) */
export const maxKeyBytes = 1024;

/** Refuses what no engine stores. Keys are made by our own code, so a bad one is a mistake in it. */
export function checkKey(key: string): void {
  if (key === '' || key.includes('\0')) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`);
  // A UTF-16 unit takes at most three bytes.
  if (key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes) {
    throw new TypeError(`storage key of more than ${maxKeyBytes} bytes: ${key.slice(0, 64)}...`);
  }
}

/**
 * A string whose order by UTF-16 code units, JavaScript's own, is the order of the key's UTF-8 bytes: the key
 * itself if it is ASCII, else its bytes as code units. Comparing is then the engine's native `<`.
 */
export function orderKey(key: string): string {
  return /^[\0-\x7f]*$/.test(key) ? key : Buffer.from(key, 'utf8').toString('latin1');
}
