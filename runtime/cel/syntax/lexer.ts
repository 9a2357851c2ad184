import type { Issues } from './errors.ts';

export type TokenKind =
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'true'
  | 'false'
  | 'null'
  | 'in'
  | 'punctuation'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

const space = /[\t \r\n\f]+|\/\/[^\n]*/y;
const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const quoted = [
  `"""(?:${escapeSequence}|[^\\\\])*?"""`,
  `'''(?:${escapeSequence}|[^\\\\])*?'''`,
  `"(?:${escapeSequence}|[^\\\\"\\n\\r])*"`,
  `'(?:${escapeSequence}|[^\\\\'\\n\\r])*'`,
].join('|');
const rawQuoted = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`;
const string = new RegExp(`(?:${rawQuoted}|${quoted})`, 'y');
const float = /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const integer = /(?:0x[0-9a-fA-F]+|[0-9]+)/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escaped = /`[A-Za-z0-9_.\-/ ]+`/y;
const punctuation = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
/** Matches an unterminated string. */
const brokenString = new RegExp(`[bB]?[rR]?(?:"(?:${escapeSequence}|[^\\\\"\\n\\r])*|'(?:${escapeSequence}|[^\\\\'\\n\\r])*)`, 'y');
const brokenTail = /\\[xX][0-9a-fA-F]?.?|\\[uU][0-9a-fA-F]*.?|\\[0-3][0-7]?.?|\\./suy;

/** Splits an expression into tokens. Reports invalid characters as ANTLR does, and skips them. (cel-go parser/gen/CEL.g4) */
export function tokenize(text: string, issues: Issues): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const push = (kind: TokenKind, length: number): void => {
    tokens.push({ kind, text: text.slice(at, at + length), offset: at });
    at += length;
  };
  while (at < text.length) {
    const blank = take(space);
    if (blank) {
      at += blank.length;
      continue;
    }
    const first = text[at];
    const literal = stringAt(text, at);
    if (literal !== undefined) {
      push(first === 'b' || first === 'B' ? 'bytes' : 'string', literal);
      continue;
    }
    const number = take(float);
    if (number) {
      push('float', number.length);
      continue;
    }
    const whole = take(integer);
    if (whole) {
      const unsigned = /[uU]/.test(text[at + whole.length] ?? '');
      push(unsigned ? 'uint' : 'int', whole.length + (unsigned ? 1 : 0));
      continue;
    }
    const name = take(identifier);
    if (name) {
      push(name === 'true' || name === 'false' || name === 'null' || name === 'in' ? name : 'identifier', name.length);
      continue;
    }
    const mark = take(escaped);
    if (mark) {
      push('escaped', mark.length);
      continue;
    }
    const sign = take(punctuation);
    if (sign) {
      push('punctuation', sign.length);
      continue;
    }
    const length = brokenLength(text, at);
    issues.report(at, `Syntax error: token recognition error at: '${visible(text.slice(at, at + length))}'`);
    at += length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: text.length });
  return tokens;
}

function stringAt(text: string, at: number): number | undefined {
  const prefixed = text[at] === 'b' || text[at] === 'B' ? 1 : 0;
  string.lastIndex = at + prefixed;
  const match = string.exec(text);
  return match ? prefixed + match[0].length : undefined;
}

function brokenLength(text: string, at: number): number {
  brokenString.lastIndex = at;
  const broken = brokenString.exec(text)?.[0];
  if (broken) {
    brokenTail.lastIndex = at + broken.length;
    return broken.length + (brokenTail.exec(text)?.[0].length ?? 0);
  }
  const char = String.fromCodePoint(text.codePointAt(at) as number);
  // ANTLR reports a single `|`, `&` or `=` together with the next character
  if ('|&='.includes(char) && at + 1 < text.length) return 2;
  return char.length;
}

const visible = (text: string): string => text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
