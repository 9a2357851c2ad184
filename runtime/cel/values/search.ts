/** From here on JavaScript's own search may take as many steps as the two lengths' product. */
const longPart = 128;

/**
 * Where a part first is in a text, from a unit on; -1: nowhere. In time linear in both: JavaScript's own search is so for
 * short parts only.
 */
export function findFirst(text: string, part: string, from: number): number {
  if (part.length < longPart) return text.indexOf(part, from);
  return scan(text, part, from, text.length - from, 1);
}

/** Where a part last is in a text, beginning at a unit or before it; -1: nowhere. */
export function findLast(text: string, part: string, from: number): number {
  const end = Math.min(text.length, from + part.length);
  return scan(text, part, end - 1, end, -1);
}

/**
 * Knuth, Morris and Pratt: what of the part has been seen is never read again.
 *
 * @param start the first unit that is read
 * @param count how many are
 * @param step 1 forwards, -1 backwards
 */
function scan(text: string, part: string, start: number, count: number, step: 1 | -1): number {
  const { length } = part;
  if (length > count) return -1;
  const first = step === 1 ? 0 : length - 1;
  const borders = new Int32Array(length);
  for (let at = 1, seen = 0; at < length; at++) {
    const unit = part.charCodeAt(first + step * at);
    while (seen > 0 && unit !== part.charCodeAt(first + step * seen)) seen = borders[seen - 1];
    if (unit === part.charCodeAt(first + step * seen)) seen++;
    borders[at] = seen;
  }
  for (let at = 0, seen = 0; at < count; at++) {
    const unit = text.charCodeAt(start + step * at);
    while (seen > 0 && unit !== part.charCodeAt(first + step * seen)) seen = borders[seen - 1];
    if (unit === part.charCodeAt(first + step * seen)) seen++;
    if (seen === length) return step === 1 ? start + at + 1 - length : start - at;
  }
  return -1;
}
