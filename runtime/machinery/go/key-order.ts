/** Returns the keys of a map in Go's order: by their UTF-8 bytes. */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  // Pruned maps are in order, and a check is cheaper than sorting.
  let before: string | undefined;
  for (const key of keys) {
    if (before !== undefined && !isBefore(before, key)) return sortByUtf8(keys);
    before = key;
  }
  return keys;
}

function sortByUtf8(keys: string[]): string[] {
  keys.sort();
  return keys.some((key) => /[\ud800-\udfff]/.test(key)) ? keys.sort(byUtf8) : keys;
}

/** Reports whether the first of two keys is certainly smaller. Surrogates sort differently in UTF-8 and UTF-16. */
function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return left < right && right < 0xd800;
  }
  return a.length < b.length;
}

function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
