import type { Word } from 'unbash';
import { parseScript } from './parse.ts';

/** The most words of one pair of braces. */
const maxAlternatives = 10_000;

/** Returns the words that braces stand for: `a`, `b` for `{a,b}`, and 1, 2, 3 for `{1..3}`. */
function alternatives(text: string): string[] {
  const inside = text.slice(1, -1);
  const [, from, to, step = '1'] = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(inside) ?? [];
  if (from === undefined || to === undefined) return inside.split(',');
  const by = Math.max(1, Number(step));
  const [first, last] = [Number(from), Number(to)];
  const count = Math.min(maxAlternatives, Math.floor(Math.abs(last - first) / by) + 1);
  return Array.from({ length: count }, (_, index) => String(first + index * by * (last < first ? -1 : 1)));
}

/** Yields the words that a word with braces stands for: `{1..3}`, `{a,b}`. */
export function* bracedWords(word: Word): Iterable<Word> {
  const part = word.parts?.find(({ type }) => type === 'BraceExpansion');
  if (part === undefined) return yield word;
  const [before = '', ...after] = word.text.split(part.text);
  for (const each of alternatives(part.text)) {
    const [statement] = parseScript(`: ${before}${each}${after.join(part.text)}`).commands;
    const [inner] = statement?.command.type === 'Command' ? statement.command.args : [];
    if (inner?.type === 'Word') yield inner;
  }
}
