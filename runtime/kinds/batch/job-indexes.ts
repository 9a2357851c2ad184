import { quoteExcerpt as quote } from '../../machinery/go/quote.ts';
import { parseInt64 } from '../../machinery/selectors/label-requirement.ts';

/** Lists of completion indexes, as `0,3-5,7`. (pkg/apis/batch/validation/validation.go) */

/** The first and the last index, or the error of an interval. */
type Interval = readonly [first: number, last: number] | string;

/** Returns the number of indexes, or the error of the list. (validateIndexesFormat) */
export function validateIndexesFormat(indexes: string, completions: number): number | string {
  if (indexes === '') return 0;
  let previous = -1;
  let total = 0;
  for (const text of indexes.split(',')) {
    const interval = parseIndexInterval(text, completions);
    if (typeof interval === 'string') return interval;
    const [first, last] = interval;
    if (total > 0 && previous >= first) return nonIncreasing(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** Returns an error if an index is in both lists. Skips invalid parts. (validateFailedIndexesNotOverlapCompleted) */
export function indexesOverlap(completed: string, failed: string, completions: number): string | undefined {
  const others = intervals(failed, completions);
  let other = others.next();
  for (const [first, last] of intervals(completed, completions)) {
    while (!other.done && other.value[1] < first) other = others.next();
    if (other.done) return undefined;
    const [otherFirst, otherLast] = other.value;
    if (first <= otherLast && otherFirst <= last) {
      return `failedIndexes and completedIndexes overlap at index: ${Math.max(first, otherFirst)}`;
    }
  }
  return undefined;
}

function* intervals(indexes: string, completions: number): Generator<readonly [number, number], undefined> {
  if (indexes === '') return;
  for (const text of indexes.split(',')) {
    const interval = parseIndexInterval(text, completions);
    if (typeof interval !== 'string') yield interval;
  }
}

function parseIndexInterval(text: string, completions: number): Interval {
  const limits = text.split('-', 3);
  if (limits.length > 2) {
    return `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const [first = '', last] = limits.map((limit) => parseIndex(limit, completions));
  if (typeof first === 'string') return first;
  if (last === undefined) return [first, first];
  if (typeof last === 'string') return last;
  return first >= last ? nonIncreasing(first, last) : [first, last];
}

/** Returns an index, or its error. An index has no sign, because the text is split at signs. (strconv.Atoi) */
function parseIndex(text: string, completions: number): number | string {
  const value = parseInt64(text);
  if (value === undefined) return `cannot convert string to integer for index: ${quote(text)}`;
  return value >= completions ? `too large index: ${quote(text)}` : Number(value);
}

const nonIncreasing = (previous: number, current: number): string => `non-increasing order, previous: ${previous}, current: ${current}`;
