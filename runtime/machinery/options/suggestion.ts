/**
 * Returns the known name with the nearest spelling, if it is near enough. Case, hyphens and underscores do not count.
 */
export function suggestionFor(given: string, known: Iterable<string>): string | undefined {
  const text = plain(given);
  let best: string | undefined;
  let least = Math.floor(Math.max(text.length, 3) / 3) + 1;
  for (const name of known) {
    const distance = editDistance(text, plain(name), least);
    if (distance >= least) continue;
    best = name;
    least = distance;
  }
  return best;
}

/** Returns `: did you mean "clock"?`, or "". */
export function didYouMean(given: string, known: Iterable<string>): string {
  const meant = suggestionFor(given, known);
  return meant === undefined ? '' : `: did you mean ${JSON.stringify(meant)}?`;
}

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** Names longer than this get no suggestion. */
const maxLength = 100;

/**
 * Returns the number of letters that are inserted, removed, replaced, or exchanged with their neighbour (optimal string
 * alignment).
 *
 * @param enough for a distance of at least this, any number from here on may be returned
 */
export function editDistance(a: string, b: string, enough = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= enough || a.length > maxLength) return enough;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, x] of a.split('').entries()) {
    let left = i + 1;
    const row = [left];
    for (const [j, y] of b.split('').entries()) {
      const [diagonal = 0, above = 0] = last.slice(j, j + 2);
      left = Math.min(above + 1, left + 1, diagonal + (x === y ? 0 : 1));
      const isExchanged = i > 0 && j > 0 && x === b[j - 1] && a[i - 1] === y;
      if (isExchanged) left = Math.min(left, (before[j - 1] ?? 0) + 1);
      row.push(left);
    }
    [before, last] = [last, row];
  }
  return last.at(-1) ?? 0;
}
