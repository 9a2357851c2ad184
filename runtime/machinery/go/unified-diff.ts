/**
 * A line diff of two texts, in the format of go-difflib and Python's difflib, with three lines around each change and
 * without file names. (apimachinery pkg/util/diff, Diff)
 */

/** Texts with more lines are not compared. */
const maxLines = 500;
const context = 3;

/** A run of equal lines: its start in each text, and its length. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/**
 * Lines of the first text from `a1` up to, but not including, `a2`, and the lines that replace them in the second text.
 */
interface Change {
  readonly isEqual: boolean;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

/** Returns "" for equal texts and for long texts. Otherwise each line ends with a newline. */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  if (a.length > maxLines || b.length > maxLines) return '';
  let text = '';
  for (const group of groupsOf(changesOf(a, b))) {
    const [first] = group;
    const last = group.at(-1);
    if (!first || !last) continue;
    text += `@@ -${rangeText(first.a1, last.a2)} +${rangeText(first.b1, last.b2)} @@\n`;
    for (const { isEqual, a1, a2, b1, b2 } of group) {
      for (let index = a1; index < a2; index++) text += `${isEqual ? ' ' : '-'}${a[index]}\n`;
      if (!isEqual) for (let index = b1; index < b2; index++) text += `+${b[index]}\n`;
    }
  }
  return text;
}

/** Lines are counted from 1. An empty range names the line before it. */
function rangeText(start: number, end: number): string {
  const length = end - start;
  return length === 1 ? String(start + 1) : `${length === 0 ? start : start + 1},${length}`;
}

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [a1, b1] = [0, 0];
  for (const { a: a2, b: b2, size } of [...new Matcher(a, b).matches(), { a: a.length, b: b.length, size: 0 }]) {
    if (a1 < a2 || b1 < b2) changes.push({ isEqual: false, a1, a2, b1, b2 });
    [a1, b1] = [a2 + size, b2 + size];
    if (size > 0) changes.push({ isEqual: true, a1: a2, a2: a1, b1: b2, b2: b1 });
  }
  return changes;
}

/** Returns groups of changes with the equal lines around them. Equal texts have none. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  for (const [index, change] of changes.entries()) {
    if (!change.isEqual) {
      group.push(change);
      continue;
    }
    const isLast = index === changes.length - 1;
    if (index > 0 && (isLast || change.a2 - change.a1 > 2 * context)) {
      group.push(headOf(change));
      groups.push(group);
      group = [];
    }
    if (!isLast) group.push(group.length === 0 ? tailOf(change) : change);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

const headOf = ({ isEqual, a1, a2, b1, b2 }: Change): Change => ({
  isEqual,
  a1,
  b1,
  a2: Math.min(a2, a1 + context),
  b2: Math.min(b2, b1 + context),
});
const tailOf = ({ isEqual, a1, a2, b1, b2 }: Change): Change => ({
  isEqual,
  a2,
  b2,
  a1: Math.max(a1, a2 - context),
  b1: Math.max(b1, b2 - context),
});

/** Finds the longest common run, then the runs on both sides of it. (SequenceMatcher) */
class Matcher {
  readonly #a: readonly string[];
  readonly #b: readonly string[];
  readonly #indexes = new Map<string, number[]>();

  constructor(a: readonly string[], b: readonly string[]) {
    this.#a = a;
    this.#b = b;
    for (const [index, line] of b.entries()) {
      const indexes = this.#indexes.get(line);
      if (indexes === undefined) this.#indexes.set(line, [index]);
      else indexes.push(index);
    }
    // frequent lines of long texts do not start a match
    if (b.length < 200) return;
    const most = Math.floor(b.length / 100) + 1;
    for (const [line, indexes] of this.#indexes) if (indexes.length > most) this.#indexes.delete(line);
  }

  /** Returns the matches in order. Adjacent runs are joined. */
  matches(): Match[] {
    const found: Match[] = [];
    this.#collect({ isEqual: false, a1: 0, a2: this.#a.length, b1: 0, b2: this.#b.length }, found);
    const joined: Match[] = [];
    for (const match of found) {
      const last = joined.at(-1);
      if (last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b) {
        joined[joined.length - 1] = { ...last, size: last.size + match.size };
      } else joined.push(match);
    }
    return joined;
  }

  #collect(within: Change, found: Match[]): void {
    const { a1, a2, b1, b2 } = within;
    const match = this.#longest(within);
    if (match.size === 0) return;
    const { a, b, size } = match;
    if (a1 < a && b1 < b) this.#collect({ ...within, a2: a, b2: b }, found);
    found.push(match);
    if (a + size < a2 && b + size < b2) this.#collect({ ...within, a1: a + size, b1: b + size }, found);
  }

  #longest({ a1, a2, b1, b2 }: Change): Match {
    let best: Match = { a: a1, b: b1, size: 0 };
    // the length of the run that ends before this line of the first text, by its end in the second text
    let lengths = new Int32Array(this.#b.length + 1);
    for (const [offset, line] of this.#a.slice(a1, a2).entries()) {
      const next = new Int32Array(this.#b.length + 1);
      for (const at of this.#indexes.get(line) ?? []) {
        if (at < b1) continue;
        if (at >= b2) break;
        const size = (lengths[at] ?? 0) + 1;
        next[at + 1] = size;
        if (size > best.size) best = { a: a1 + offset - size + 1, b: at - size + 1, size };
      }
      lengths = next;
    }
    return this.#extended(best, { isEqual: false, a1, a2, b1, b2 });
  }

  /** Extends a match by equal neighbouring lines, which may be frequent ones. */
  #extended({ a, b, size }: Match, { a1, a2, b1, b2 }: Change): Match {
    let before = 0;
    while (a - before > a1 && b - before > b1 && this.#a[a - before - 1] === this.#b[b - before - 1]) before++;
    let end = size;
    while (a + end < a2 && b + end < b2 && this.#a[a + end] === this.#b[b + end]) end++;
    return { a: a - before, b: b - before, size: end + before };
  }
}
