/** The minimum length for which JavaScript's search may take time proportional to the product of both lengths. */
const longPart = 128;

/**
 * Finds the first occurrence of a part at or after an index, or returns -1. Takes linear time, which JavaScript's search
 * does only for short parts.
 */
export function findFirst(text: string, part: string, from: number): number {
  if (part.length < longPart) return text.indexOf(part, from);
  return scan(text, part, { start: from, count: text.length - from, step: 1 });
}

/** Finds the last occurrence of a part at or before an index, or returns -1. */
export function findLast(text: string, part: string, from: number): number {
  const end = Math.min(text.length, from + part.length);
  return scan(text, part, { start: end - 1, count: end, step: -1 });
}

interface ScanRange {
  readonly start: number;
  readonly count: number;
  readonly step: 1 | -1;
}

/**
 * Searches with the algorithm of Knuth, Morris and Pratt, which never goes back in the text.
 *
 * @param start the index of the first unit to read
 * @param count the number of units to read
 * @param step 1 to read forwards, -1 to read backwards
 */
function scan(text: string, part: string, { start, count, step }: ScanRange): number {
  const { length } = part;
  if (length > count) return -1;
  const first = step === 1 ? 0 : length - 1;
  const borders = new Int32Array(length);
  for (let at = 1, seen = 0; at < length; at++) {
    const unit = part.charCodeAt(first + step * at);
    while (seen > 0 && unit !== part.charCodeAt(first + step * seen)) seen = borders[seen - 1] ?? 0;
    if (unit === part.charCodeAt(first + step * seen)) seen++;
    borders[at] = seen;
  }
  for (let at = 0, seen = 0; at < count; at++) {
    const unit = text.charCodeAt(start + step * at);
    while (seen > 0 && unit !== part.charCodeAt(first + step * seen)) seen = borders[seen - 1] ?? 0;
    if (unit === part.charCodeAt(first + step * seen)) seen++;
    if (seen === length) return step === 1 ? start + at + 1 - length : start - at;
  }
  return -1;
}
