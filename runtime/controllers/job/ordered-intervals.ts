import { elementAt } from '../../machinery/collections/element-at.ts';

/** Completion indexes from `first` to `last`, both included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** A set of completion indexes, as sorted intervals that do not touch. (pkg/controller/job/indexed_job_utils.go orderedIntervals) */
export class OrderedIntervals {
  static readonly none = new OrderedIntervals([]);
  readonly intervals: readonly Interval[];

  private constructor(intervals: readonly Interval[]) {
    this.intervals = intervals;
  }

  /** Parses a list such as `0,3-5,7`. Ignores invalid parts, and indexes that are not below `completions`. */
  static parse(text: string, completions: number): OrderedIntervals {
    const intervals: Interval[] = [];
    for (const part of text === '' ? [] : text.split(',')) {
      const [first, last = first] = part.split('-').map(atoi);
      if (first === undefined || Number.isNaN(first) || Number.isNaN(last)) continue;
      if (first >= completions) break;
      append(intervals, { first, last: Math.min(last ?? first, completions - 1) });
    }
    return new OrderedIntervals(intervals);
  }

  static of(indexes: Iterable<number>): OrderedIntervals {
    const intervals: Interval[] = [];
    for (const index of [...indexes].sort((a, b) => a - b)) append(intervals, { first: index, last: index });
    return new OrderedIntervals(intervals);
  }

  /** The number of indexes. */
  get total(): number {
    return this.intervals.reduce((total, { first, last }) => total + last - first + 1, 0);
  }

  has(index: number): boolean {
    let low = 0;
    let high = this.intervals.length;
    while (high > low) {
      const middle = (low + high) >> 1;
      if (elementAt(this.intervals, middle).last >= index) high = middle;
      else low = middle + 1;
    }
    const found = this.intervals[high];
    return found !== undefined && found.first <= index;
  }

  union(others: OrderedIntervals): OrderedIntervals {
    const merged: Interval[] = [];
    const [a, b] = [this.intervals, others.intervals];
    for (let i = 0, j = 0; ; ) {
      const [one, other] = [a[i], b[j]];
      if (one !== undefined && (other === undefined || one.first < other.first)) {
        append(merged, one);
        i++;
      } else if (other !== undefined) {
        append(merged, other);
        j++;
      } else break;
    }
    return new OrderedIntervals(merged);
  }

  /** Returns the number of indexes in both sets. */
  overlap({ intervals: others }: OrderedIntervals): number {
    let overlap = 0;
    for (let i = 0, j = 0; ; ) {
      const [a, b] = [this.intervals[i], others[j]];
      if (a === undefined || b === undefined) break;
      overlap += Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);
      if (a.last <= b.last) i++;
      if (b.last <= a.last) j++;
    }
    return overlap;
  }

  /** Returns the first indexes below `completions` that are not in the set, at most `count`. */
  complement(count: number, completions: number): number[] {
    const missing: number[] = [];
    let candidate = 0;
    for (const { first, last } of [...this.intervals, { first: completions, last: completions }]) {
      while (missing.length < count && candidate < Math.min(first, completions)) missing.push(candidate++);
      candidate = Math.max(candidate, last + 1);
    }
    return missing;
  }

  toString(): string {
    const texts = this.intervals.map(({ first, last }) => {
      return first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`;
    });
    return texts.join(',');
  }
}

/** Appends an interval that does not begin before the last one. Touching and overlapping intervals are joined. */
function append(intervals: Interval[], added: Interval): void {
  const before = intervals.at(-1);
  if (before === undefined || added.first > before.last + 1) intervals.push(added);
  else if (added.last > before.last) intervals[intervals.length - 1] = { first: before.first, last: added.last };
}

const atoi = (text: string): number => (/^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN);
