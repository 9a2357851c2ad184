/**
 * Strings are sequences of code points, and JavaScript's of UTF-16 units. Where a text has no surrogates the two are the
 * same. Of long texts that have some it is remembered where their code points are: asking for a size costs an expression
 * next to nothing, so it may ask again for each item of a list.
 */
interface Known {
  readonly text: string;
  readonly size: number;
  /** The unit at which each 64th code point begins. */
  readonly marks: Uint32Array | undefined;
}

const long = 256;
const stride = 64;
const mostKnown = 8;
let known: Known[] = [];

/** Lets go of the texts that are remembered. */
import { spend } from '../../machinery/event-loop/budget.ts';
export function clearRuneCache(): void {
  if (known.length > 0) known = [];
}

const surrogate = /[\ud800-\udfff]/;

const isPair = (text: string, unit: number): boolean =>
  (text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00;

function know(text: string): Known {
  const found = known.find((one) => one.text === text);
  if (found) return found;
  spend(text.length * 0.003);
  const made = surrogate.test(text) ? read(text) : { text, size: text.length, marks: undefined };
  if (known.length >= mostKnown) known.shift();
  known.push(made);
  return made;
}

function read(text: string): Known {
  const marks: number[] = [];
  let size = 0;
  for (let unit = 0; unit < text.length; size++) {
    if (size % stride === 0) marks.push(unit);
    unit += isPair(text, unit) ? 2 : 1;
  }
  return { text, size, marks: Uint32Array.from(marks) };
}

/** The number of code points, as Go counts runes. */
export function runeCount(text: string): number {
  if (text.length >= long) return know(text).size;
  let size = text.length;
  for (let unit = 1; unit < text.length; unit++) if (isPair(text, unit - 1)) size--;
  return size;
}

/** The unit at which a code point begins; the text's end for one behind the last. The index is at most its size. */
export function unitIndex(text: string, index: number): number {
  let unit = 0;
  let left = index;
  if (text.length >= long) {
    const { marks } = know(text);
    if (marks === undefined) return index;
    const mark = Math.min(Math.floor(index / stride), marks.length - 1);
    unit = marks[mark];
    left = index - mark * stride;
  }
  for (; left > 0; left--) unit += isPair(text, unit) ? 2 : 1;
  return unit;
}

/** The code point that begins at a unit. */
export function indexOf(text: string, unit: number): number {
  if (text.length < long) return runeCount(text.slice(0, unit));
  const { marks } = know(text);
  if (marks === undefined) return unit;
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (marks[middle] <= unit) low = middle;
    else high = middle - 1;
  }
  let index = low * stride;
  for (let at = marks[low]; at < unit; index++) at += isPair(text, at) ? 2 : 1;
  return index;
}

/** No unit of it is half a code point. */
export function hasNoSurrogates(text: string): boolean {
  return text.length >= long ? know(text).marks === undefined : !surrogate.test(text);
}
