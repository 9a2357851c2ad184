/** Compares strings by their UTF-8 bytes, as Go does. Returns a negative number, 0 or a positive number. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // surrogates encode the highest code points, but their own numbers are lower than some others
    const bothHigh = x >= 0xd800 && y >= 0xd800;
    return bothHigh && isSurrogate(x) !== isSurrogate(y) ? (isSurrogate(x) ? 1 : -1) : x - y;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
