import { isBlank, isBreak, isBreakOrEnd, isDigit, isFlowIndicator, isHex, isSpaceOrEnd } from './characters.ts';
import type { Cursor } from './cursor.ts';
import { endLine } from './scan-properties.ts';
import { kinds, Token } from './token.ts';

/** Scalars: plain, quoted and block. (libyaml scannerc.go) */

/** Parts of a text that are joined together at the end. Pairwise concatenation would allocate an object each time. */
class Pieces {
  #text = '';
  #pieces: string[] = [];

  push(piece: string): void {
    if (this.#pieces.push(piece) === 4096) {
      this.#text += this.#pieces.join('');
      this.#pieces = [];
    }
  }

  toString(): string {
    const rest = this.#pieces.join('');
    return this.#text === '' ? rest : this.#text + rest;
  }
}

/**
 * @param indent the minimum column of the following lines
 * @param flow whether the scalar is in a flow collection
 * @returns the token, and whether a line break ended it
 * @throws DecodeError
 */
export function scanPlain(cursor: Cursor, indent: number, flow: boolean): { token: Token; broken: boolean } {
  const { text, line } = cursor;
  let pieces: Pieces | undefined;
  let start = cursor.at;
  let end = start;
  let broken = false;
  for (;;) {
    cursor.need(4);
    if (cursor.atDocumentMark() || cursor.peek() === 0x23) break;
    let { at } = cursor;
    for (;;) {
      const c = text.charCodeAt(at);
      if (isSpaceOrEnd(c)) break;
      if (c === 0x3a && isSpaceOrEnd(text.charCodeAt(at + 1))) break;
      if (flow && isFlowIndicator(c)) break;
      at++;
    }
    if (at > cursor.at) {
      if (broken) {
        pieces ??= new Pieces();
        pieces.push(cursor.cut(start, end));
        pieces.push(cursor.fold(end, cursor.at));
        start = cursor.at;
        broken = false;
      }
      cursor.at = at;
      end = at;
      cursor.need(2);
    }
    if (!isBlank(cursor.peek()) && !cursor.onBreak) break;
    broken = skipSpace(cursor, indent) || broken;
    if (!flow && cursor.column < indent) break;
  }
  let value = cursor.cut(start, end);
  if (pieces !== undefined) {
    pieces.push(value);
    value = pieces.toString();
  }
  const token = new Token(kinds.scalar, line, value);
  token.isPlain = true;
  return { token, broken };
}

/**
 * Skips white space in a plain scalar. Returns true if it has a line break. @throws DecodeError for a tab as
 * indentation
 */
function skipSpace(cursor: Cursor, indent: number): boolean {
  let broken = false;
  for (;;) {
    const c = cursor.peek();
    if (isBlank(c)) {
      if (broken && c === 0x09 && cursor.column < indent) {
        throw cursor.fail('found a tab character that violates indentation');
      }
      cursor.at++;
    } else if (isBreak(c)) {
      cursor.need(2);
      cursor.skipBreak();
      broken = true;
    } else break;
  }
  cursor.need(1);
  return broken;
}

/** @throws DecodeError */
export function scanQuoted(cursor: Cursor, single: boolean): Token {
  const { text, line } = cursor;
  const quote = single ? 0x27 : 0x22;
  let pieces: Pieces | undefined;
  cursor.at++;
  let start = cursor.at;
  const flush = (end: number): Pieces => {
    pieces ??= new Pieces();
    if (end > start) pieces.push(cursor.cut(start, end));
    return pieces;
  };
  for (;;) {
    cursor.need(4);
    if (cursor.atDocumentMark()) throw cursor.fail('found unexpected document indicator');
    if (cursor.peek() === 0) throw cursor.fail('found unexpected end of stream');
    let escapedBreak = false;
    for (;;) {
      let { at } = cursor;
      let c = text.charCodeAt(at);
      while (c !== quote && (c !== 0x5c || single) && !isSpaceOrEnd(c)) c = text.charCodeAt(++at);
      cursor.at = at;
      cursor.need(2);
      if (single && c === quote && cursor.peek(1) === quote) {
        flush(at + 1);
        cursor.at += 2;
      } else if (c === 0x5c && !single && isBreak(cursor.peek(1))) {
        flush(at);
        cursor.need(3);
        cursor.at++;
        cursor.skipBreak();
        escapedBreak = true;
      } else if (c === 0x5c && !single) flush(at).push(scanEscape(cursor));
      else break;
      start = cursor.at;
      if (escapedBreak) break;
    }
    cursor.need(1);
    if (cursor.peek() === quote) break;
    const end = cursor.at;
    let breaks = 0;
    for (;;) {
      const c = cursor.peek();
      if (isBlank(c)) cursor.at++;
      else if (isBreak(c)) {
        cursor.need(2);
        cursor.skipBreak();
        breaks++;
      } else break;
    }
    cursor.need(1);
    if (breaks === 0 && !escapedBreak) continue;
    const space = escapedBreak ? cursor.breaks(end, cursor.at) : cursor.fold(end, cursor.at);
    flush(end).push(space);
    start = cursor.at;
  }
  const value = pieces === undefined ? cursor.cut(start, cursor.at) : flush(cursor.at).toString();
  cursor.at++;
  return new Token(kinds.scalar, line, value);
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const escapeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Returns the character of an escape. Surrogates are invalid, even as a pair. @throws DecodeError */
function scanEscape(cursor: Cursor): string {
  const letter = cursor.text.charAt(cursor.at + 1);
  const plain = escapes[letter];
  const length = escapeLengths[letter] ?? 0;
  if (plain === undefined && length === 0) throw cursor.fail('found unknown escape character');
  cursor.at += 2;
  if (plain !== undefined) return plain;
  cursor.need(length);
  for (let i = 0; i < length; i++) {
    if (!isHex(cursor.peek(i))) throw cursor.fail('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(cursor.text.slice(cursor.at, cursor.at + length), 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.fail('found invalid Unicode character escape code');
  }
  cursor.at += length;
  return String.fromCodePoint(code);
}

/** The treatment of line breaks at the end of a block. */
type Chomping = 'strip' | 'clip' | 'keep';

/** @param outer the indentation around the block; -1 if there is none @throws DecodeError */
export function scanBlock(cursor: Cursor, literal: boolean, outer: number): Token {
  const { text, line } = cursor;
  cursor.at++;
  const header = scanBlockHeader(cursor);
  let indent = header.increment === 0 ? 0 : Math.max(outer, 0) + header.increment;
  const pieces = new Pieces();
  let trailing = '';
  const skipBreaks = (): void => {
    const { at: from, line: fromLine } = cursor;
    indent = skipBlockBreaks(cursor, indent, outer);
    trailing = cursor.line > fromLine ? cursor.breaks(from, cursor.at) : '';
  };
  skipBreaks();
  let leading = '';
  let wasBlank = false;
  while (cursor.column === indent && cursor.peek() !== 0) {
    const blank = isBlank(cursor.peek());
    if (!literal && !wasBlank && !blank && leading === '\n') {
      if (trailing === '') pieces.push(' ');
    } else if (leading !== '') pieces.push(leading);
    if (trailing !== '') pieces.push(trailing);
    wasBlank = blank;
    const start = cursor.at;
    let at = start;
    while (!isBreakOrEnd(text.charCodeAt(at))) at++;
    cursor.at = at;
    if (at > start) pieces.push(cursor.cut(start, at));
    cursor.need(2);
    leading = '';
    if (cursor.onBreak) {
      cursor.skipBreak();
      leading = cursor.breaks(at, cursor.at);
    }
    skipBreaks();
  }
  if (header.chomping !== 'strip') pieces.push(leading);
  if (header.chomping === 'keep') pieces.push(trailing);
  return new Token(kinds.scalar, line, pieces.toString());
}

/** Scans the indicators after the bar, in any order, and the rest of the line. */
function scanBlockHeader(cursor: Cursor): { chomping: Chomping; increment: number } {
  let chomping: Chomping | undefined;
  let increment = 0;
  for (let i = 0; i < 2; i++) {
    cursor.need(1);
    const c = cursor.peek();
    if (chomping === undefined && (c === 0x2b || c === 0x2d)) chomping = c === 0x2b ? 'keep' : 'strip';
    else if (increment === 0 && isDigit(c)) {
      if (c === 0x30) throw cursor.fail('found an indentation indicator equal to 0');
      increment = c - 0x30;
    } else break;
    cursor.at++;
  }
  endLine(cursor);
  return { chomping: chomping ?? 'clip', increment };
}

/** Skips empty lines and indentation. If `indent` is 0, the first non-empty line determines it. */
function skipBlockBreaks(cursor: Cursor, indent: number, outer: number): number {
  let deepest = 0;
  for (;;) {
    while ((indent === 0 || cursor.column < indent) && cursor.peek() === 0x20) cursor.at++;
    cursor.need(1);
    deepest = Math.max(deepest, cursor.column);
    if ((indent === 0 || cursor.column < indent) && cursor.peek() === 0x09) {
      throw cursor.fail('found a tab character where an indentation space is expected');
    }
    if (!cursor.onBreak) break;
    cursor.need(2);
    cursor.skipBreak();
  }
  return indent === 0 ? Math.max(deepest, outer + 1, 1) : indent;
}
