import { RE2JS } from 're2js';

/** Characters as Go counts them: one a code point. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      at++;
    }
  }
  return count;
}

export interface Pattern {
  matches(text: string): boolean;
  /** Why RE2 refuses the pattern. Such a pattern matches nothing. */
  readonly error?: string;
}

const compiled = new Map<string, Pattern>();
const most = 2_000;

/**
 * A regular expression with RE2's syntax and meaning, found anywhere in the text, in time linear in it. Never throws.
 * The most recent are kept: schemas of one origin repeat theirs.
 */
export function pattern(source: string): Pattern {
  const known = compiled.get(source);
  if (known) return known;
  if (compiled.size >= most) compiled.delete(compiled.keys().next().value as string);
  const made = compile(source);
  compiled.set(source, made);
  return made;
}

function compile(source: string): Pattern {
  try {
    const expression = RE2JS.compile(source);
    return { matches: (text) => expression.test(text) };
  } catch (error) {
    return { matches: () => false, error: (error as Error).message };
  }
}
