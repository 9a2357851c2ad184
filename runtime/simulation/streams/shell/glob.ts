/**
 * Reports whether a pattern of a shell matches all of a text: `*`, `?`, `[a-z]`, `[!a]`, and escapes. Takes time in
 * proportion to the product of both lengths, at most.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern);
  const chars = [...text];
  let at = 0;
  let token = 0;
  let star = -1;
  let from = 0;
  while (at < chars.length) {
    const current = tokens[token];
    if (current === '*') {
      star = token++;
      from = at;
    } else if (current?.matches(chars[at] ?? '')) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++from;
    } else return false;
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

/** Reports whether a pattern matches more than one text. */
export const isGlob = (pattern: string): boolean => tokensOf(pattern).some((token) => token === '*' || token.literal === undefined);

/** Returns the pattern that matches a text only. */
export const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');

/** Returns the text that a pattern without special characters matches. */
export const unescapeGlob = (pattern: string): string => pattern.replace(/\\(.)/gs, '$1');

type Token = '*' | { readonly literal?: string; matches(char: string): boolean };

const any: Token = { matches: () => true };
const literal = (char: string): Token => ({ literal: char, matches: (other) => other === char });

function tokensOf(pattern: string): Token[] {
  const chars = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (char === '?') tokens.push(any);
    else if (char === '\\' && at + 1 < chars.length) tokens.push(literal(chars[++at] ?? ''));
    else if (char === '[') {
      const end = endOfBracket(chars, at);
      if (end < 0) tokens.push(literal(char));
      else {
        tokens.push(bracket(chars.slice(at + 1, end)));
        at = end;
      }
    } else tokens.push(literal(char));
  }
  return tokens;
}

function endOfBracket(chars: readonly string[], start: number): number {
  let at = start + 1;
  if (chars[at] === '!' || chars[at] === '^') at++;
  if (chars[at] === ']') at++;
  for (; at < chars.length; at++) {
    if (chars[at] === '[' && chars[at + 1] === ':') {
      const end = chars.indexOf(']', at);
      if (end > 0 && chars[end - 1] === ':') at = end;
    } else if (chars[at] === ']') return at;
  }
  return -1;
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alpha', /[A-Za-z]/],
  ['digit', /[0-9]/],
  ['alnum', /[A-Za-z0-9]/],
  ['upper', /[A-Z]/],
  ['lower', /[a-z]/],
  ['space', /\s/],
  ['blank', /[ \t]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);

function bracket(inside: readonly string[]): Token {
  const isNegated = inside[0] === '!' || inside[0] === '^';
  const text = inside.slice(isNegated ? 1 : 0).join('');
  const named = [...text.matchAll(/\[:(\w+):\]/g)].map(([, name]) => classes.get(name ?? ''));
  const chars = [...text.replace(/\[:\w+:\]/g, '')];
  const isIn = (char: string): boolean => {
    for (let at = 0; at < chars.length; at++) {
      const low = chars[at] ?? '';
      const high = chars[at + 2];
      if (chars[at + 1] === '-' && high !== undefined) {
        if (low <= char && char <= high) return true;
        at += 2;
      } else if (low === char) return true;
    }
    return named.some((one) => one?.test(char));
  };
  return { matches: (char) => isIn(char) !== isNegated };
}
