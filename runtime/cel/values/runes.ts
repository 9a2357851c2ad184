import { spend } from '../../machinery/event-loop/budget.ts';

/**
 * Positions of code points in a JavaScript string. CEL strings are sequences of code points, JavaScript strings of
 * UTF-16 units; they differ only with surrogates. Positions in long strings with surrogates are cached: the size of a
 * string costs almost nothing, so an expression may use it for each item of a list.
 */
interface RuneIndex {
  readonly text: string;
  readonly size: number;
  /** The unit at which each 64th code point starts. */
  readonly marks: Uint32Array | undefined;
}

const minCachedLength = 256;
const stride = 64;
const maxCached = 8;
let cache: RuneIndex[] = [];

/** Clears the cache of positions. */
export function clearRuneCache(): void {
  if (cache.length > 0) cache = [];
}

const surrogate = /[\ud800-\udfff]/;

const isPair = (text: string, unit: number): boolean =>
  (text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00;

function runeIndexOf(text: string): RuneIndex {
  const cached = cache.find((one) => one.text === text);
  if (cached) return cached;
  spend(text.length * 0.003);
  const index = surrogate.test(text) ? buildIndex(text) : { text, size: text.length, marks: undefined };
  if (cache.length >= maxCached) cache.shift();
  cache.push(index);
  return index;
}

function buildIndex(text: string): RuneIndex {
  const marks: number[] = [];
  let size = 0;
  for (let unit = 0; unit < text.length; size++) {
    if (size % stride === 0) marks.push(unit);
    unit += isPair(text, unit) ? 2 : 1;
  }
  return { text, size, marks: Uint32Array.from(marks) };
}

/** Returns the number of code points, which Go calls runes. */
export function runeCount(text: string): number {
  if (text.length >= minCachedLength) return runeIndexOf(text).size;
  let size = text.length;
  for (let unit = 1; unit < text.length; unit++) if (isPair(text, unit - 1)) size--;
  return size;
}

/**
 * Returns the index of the unit at which a code point starts.
 *
 * @param index the index of the code point; the number of code points for the end of the text
 */
export function unitIndex(text: string, index: number): number {
  let unit = 0;
  let remaining = index;
  if (text.length >= minCachedLength) {
    const { marks } = runeIndexOf(text);
    if (marks === undefined) return index;
    const mark = Math.min(Math.floor(index / stride), marks.length - 1);
    unit = marks[mark] ?? 0;
    remaining = index - mark * stride;
  }
  for (; remaining > 0; remaining--) unit += isPair(text, unit) ? 2 : 1;
  return unit;
}

/** Returns the index of the code point that starts at a unit. */
export function indexOf(text: string, unit: number): number {
  if (text.length < minCachedLength) return runeCount(text.slice(0, unit));
  const { marks } = runeIndexOf(text);
  if (marks === undefined) return unit;
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  let index = low * stride;
  for (let at = marks[low] ?? 0; at < unit; index++) at += isPair(text, at) ? 2 : 1;
  return index;
}

/** Reports whether each unit is a code point. */
export function hasNoSurrogates(text: string): boolean {
  return text.length >= minCachedLength ? runeIndexOf(text).marks === undefined : !surrogate.test(text);
}
