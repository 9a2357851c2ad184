/** Returns how many of `count` changes in revision order have at most this revision. */
export function countUpTo(revision: number, count: number, revisionAt: (index: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (revisionAt(middle) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
