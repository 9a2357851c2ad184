import { RE2JS } from 're2js';

/** A compiled regular expression of RE2's syntax; every operation is linear in the text. */
export interface Regex {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** The first match, empty where there is none. */
  find(text: string): string;
  /** Matches from left to right; at most `limit`, all where it is negative. */
  findAll(text: string, limit: number): string[];
}

const cache = new Map<string, Regex | string>();
const maxCached = 2_000;

/** Compiles a pattern, or gives back the compiled one. A string is what is wrong with it. */
export function compileRegex(pattern: string): Regex | string {
  let found = cache.get(pattern);
  if (found === undefined) {
    found = compile(pattern);
    if (cache.size >= maxCached) cache.clear();
    cache.set(pattern, found);
  }
  return found;
}

function compile(pattern: string): Regex | string {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    return (error as Error).message;
  }
  const native = nativeTest(pattern);
  return {
    test: native ? (text) => native.test(text) : (text) => compiled.matcher(text).find(),
    find(text) {
      const matcher = compiled.matcher(text);
      return matcher.find() ? (matcher.group() ?? '') : '';
    },
    findAll(text, limit) {
      const matcher = compiled.matcher(text);
      const found: string[] = [];
      while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
      return found;
    },
  };
}

const classAtom = String.raw`\[(?:\^)?-?[A-Za-z0-9_./: @+]+(?:-[A-Za-z0-9])?[A-Za-z0-9_./: @+-]*\]`;
const atom = String.raw`(?:[A-Za-z0-9_/:@ -]|\\[./]|${classAtom})`;
const simplePattern = new RegExp(String.raw`^\^(?:${atom})*(?:${atom}[*+])?\$$`);

/**
 * The engine's own regular expression where it cannot be slow: anchored at both ends, plain characters and classes,
 * and nothing repeated but the last of them. Both syntaxes agree on those.
 */
function nativeTest(pattern: string): RegExp | undefined {
  return simplePattern.test(pattern) && !pattern.includes('[:') ? new RegExp(pattern, 'u') : undefined;
}
