import type { DecodeError } from '../../machinery/errors/decode-error.ts';
import { isBlank, isBreakOrEnd, isDigit, isHex, isSpaceOrEnd, isUri, isWord } from './characters.ts';
import type { Cursor } from './cursor.ts';
import { kinds, Token, type TokenKind } from './token.ts';

/** Anchors, aliases, tags and directives. (libyaml scannerc.go) */

/** Characters that may follow the name of an anchor, besides white space. */
const afterAnchor: ReadonlySet<number> = new Set([...'?:,]}%@`'].map((char) => char.charCodeAt(0)));

/** Scans `&name` or `*name`. @throws DecodeError */
export function scanAnchor(cursor: Cursor, kind: TokenKind): Token {
  cursor.at++;
  const name = scanWord(cursor);
  const next = cursor.peek();
  if (name === '' || !(isSpaceOrEnd(next) || afterAnchor.has(next))) {
    throw cursor.fail('did not find expected alphabetic or numeric character');
  }
  return new Token(kind, cursor.line, name);
}

function scanWord(cursor: Cursor): string {
  const start = cursor.at;
  while (isWord(cursor.peek())) cursor.at++;
  cursor.need(1);
  return cursor.cut(start, cursor.at);
}

/** Scans `!<uri>`, `!suffix`, `!handle!suffix` or `!`. @throws DecodeError */
export function scanTag(cursor: Cursor): Token {
  cursor.need(2);
  let handle = '';
  let suffix: string;
  if (cursor.peek(1) === 0x3c) {
    cursor.at += 2;
    suffix = scanUri(cursor, '');
    if (cursor.peek() !== 0x3e) throw cursor.fail("did not find the expected '>'");
    cursor.at++;
  } else {
    handle = scanHandle(cursor, false);
    if (handle.length > 1 && handle.endsWith('!')) suffix = scanUri(cursor, '');
    else {
      suffix = scanUri(cursor, handle);
      handle = '!';
      if (suffix === '') [handle, suffix] = ['', '!'];
    }
  }
  cursor.need(1);
  if (!isSpaceOrEnd(cursor.peek())) throw cursor.fail('did not find expected whitespace or line break');
  return new Token(kinds.tag, cursor.line, handle, suffix);
}

function scanHandle(cursor: Cursor, directive: boolean): string {
  const missing = (): DecodeError => cursor.fail("did not find expected '!'");
  cursor.need(1);
  const start = cursor.at;
  if (cursor.peek() !== 0x21) throw missing();
  cursor.at++;
  while (isWord(cursor.peek())) cursor.at++;
  cursor.need(1);
  if (cursor.peek() === 0x21) cursor.at++;
  else if (directive && cursor.at - start > 1) throw missing();
  return cursor.cut(start, cursor.at);
}

/** @param head the presumed handle. Its exclamation mark is not part of the result. */
function scanUri(cursor: Cursor, head: string): string {
  cursor.need(1);
  let uri = head.slice(1);
  let start = cursor.at;
  const first = start;
  while (isUri(cursor.peek())) {
    if (cursor.peek() === 0x25) {
      uri += cursor.cut(start, cursor.at) + scanUriEscapes(cursor);
      start = cursor.at;
    } else cursor.at++;
  }
  cursor.need(1);
  if (head === '' && cursor.at === first) throw cursor.fail('did not find expected tag URI');
  return uri + cursor.cut(start, cursor.at);
}

/**
 * Scans the escaped octets of one character, `%` and two digits each. Their value is ignored, since no known tag has
 * any.
 */
function scanUriEscapes(cursor: Cursor): string {
  let octets = '';
  for (let rest = 1, first = true; rest > 0; rest--, first = false) {
    cursor.need(3);
    if (!(cursor.peek() === 0x25 && isHex(cursor.peek(1)) && isHex(cursor.peek(2)))) {
      throw cursor.fail('did not find URI escaped octet');
    }
    const octet = Number.parseInt(cursor.text.slice(cursor.at + 1, cursor.at + 3), 16);
    if (first) {
      rest = octet < 0x80 ? 1 : octet < 0xc0 ? 0 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : octet < 0xf8 ? 4 : 0;
      if (rest === 0) throw cursor.fail('found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) throw cursor.fail('found an incorrect trailing UTF-8 octet');
    octets += String.fromCharCode(octet);
    cursor.at += 3;
  }
  return octets;
}

/** Scans `%YAML 1.1` or `%TAG !handle! prefix`, to the end of the line. @throws DecodeError */
export function scanDirective(cursor: Cursor): Token {
  const { line } = cursor;
  cursor.at++;
  const name = scanWord(cursor);
  if (name === '') throw cursor.fail('could not find expected directive name');
  if (!isSpaceOrEnd(cursor.peek())) throw cursor.fail('found unexpected non-alphabetical character');
  let token: Token;
  if (name === 'YAML') token = new Token(kinds.versionDirective, line, scanVersion(cursor));
  else if (name === 'TAG') {
    cursor.skipBlanks();
    const handle = scanHandle(cursor, true);
    cursor.need(1);
    if (!isBlank(cursor.peek())) throw cursor.fail('did not find expected whitespace');
    cursor.skipBlanks();
    const prefix = scanUri(cursor, '');
    if (!isSpaceOrEnd(cursor.peek())) throw cursor.fail('did not find expected whitespace or line break');
    token = new Token(kinds.tagDirective, line, handle, prefix);
  } else throw cursor.fail('found unknown directive name');
  endLine(cursor);
  return token;
}

function scanVersion(cursor: Cursor): string {
  cursor.skipBlanks();
  const major = scanVersionNumber(cursor);
  if (cursor.peek() !== 0x2e) throw cursor.fail("did not find expected digit or '.' character");
  cursor.at++;
  return `${major}.${scanVersionNumber(cursor)}`;
}

function scanVersionNumber(cursor: Cursor): number {
  const start = cursor.at;
  cursor.need(1);
  while (isDigit(cursor.peek())) {
    if (cursor.at - start === 2) throw cursor.fail('found extremely long version number');
    cursor.at++;
    cursor.need(1);
  }
  if (cursor.at === start) throw cursor.fail('did not find expected version number');
  return Number(cursor.text.slice(start, cursor.at));
}

/** Skips white space, a comment and the end of the line. @throws DecodeError */
export function endLine(cursor: Cursor): void {
  cursor.need(1);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) throw cursor.fail('did not find expected comment or line break');
  if (cursor.onBreak) {
    cursor.need(2);
    cursor.skipBreak();
  }
}
