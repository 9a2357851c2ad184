/** The most words of one pair of braces. */
const maxAlternatives = 10_000;

/** Returns the words that braces stand for: `a`, `b` for `{a,b}`, and 1, 2, 3 for `{1..3}`. */
export function alternatives(text: string): string[] {
  const inside = text.slice(1, -1);
  const [, from, to, step = '1'] = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(inside) ?? [];
  if (from === undefined || to === undefined) return inside.split(',');
  const by = Math.max(1, Number(step));
  const [first, last] = [Number(from), Number(to)];
  const count = Math.min(maxAlternatives, Math.floor(Math.abs(last - first) / by) + 1);
  return Array.from({ length: count }, (_, index) => String(first + index * by * (last < first ? -1 : 1)));
}
