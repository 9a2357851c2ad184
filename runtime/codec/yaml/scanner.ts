import { isBlank, isSpaceOrEnd } from './characters.ts';
import { Cursor } from './cursor.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalars.ts';
import { SimpleKeys } from './simple-keys.ts';
import type { Source } from './source.ts';
import { kinds, type SimpleKey, Token, type TokenKind, TokenQueue } from './token.ts';

/** The maximum nesting of blocks and flow collections. (go-yaml v2 scannerc.go) The decoder's limit is lower. */
const maxIndents = 10_000;
const maxFlowLevel = 10_000;

/** Characters with which no plain scalar begins, in addition to the indicators. */
const neverFirst: ReadonlySet<number> = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map((char) => char.charCodeAt(0)));

/**
 * Splits a stream into tokens. If a token might be a simple key, the scanner reads on until it finds the colon, or has
 * excluded it. (libyaml scannerc.go in go-yaml v2)
 *
 * Every method throws DecodeError with go-yaml's messages.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #queue = new TokenQueue();
  readonly #keys: SimpleKeys;
  /** The first token of the queue, once no other token can precede it. */
  #next: Token | undefined;
  #started = false;
  /** Whether a simple key may begin at the cursor. */
  #keyAllowed = true;
  /** The column of the current block, -1 outside of blocks. */
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;

  constructor(source: Source) {
    this.#cursor = new Cursor(source);
    this.#keys = new SimpleKeys(this.#cursor);
  }

  /** Returns the next token. It stays the next one until it is skipped. */
  peek(): Token {
    if (this.#next === undefined) {
      while (this.#queue.isEmpty || this.#keys.isPending(this.#queue.head)) this.#fetch();
      this.#next = this.#queue.first;
    }
    return this.#next;
  }

  skip(): void {
    this.#queue.shift();
    this.#next = undefined;
  }

  #push(kind: TokenKind): void {
    this.#queue.push(new Token(kind, this.#cursor.line));
  }

  /** Adds a token of this many characters, which the caller has checked. */
  #indicator(kind: TokenKind, length = 1): void {
    this.#push(kind);
    this.#cursor.at += length;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    cursor.need(1);
    if (!this.#started) {
      this.#started = true;
      this.#push(kinds.streamStart);
      return;
    }
    this.#skipToToken();
    this.#unrollIndent(cursor.column);
    cursor.need(4);
    const c = cursor.peek();
    if (cursor.column === 0) {
      if (c === 0x25) {
        this.#endBlocks();
        this.#queue.push(scanDirective(cursor));
        return;
      }
      if (cursor.atDocumentMark()) {
        this.#endBlocks();
        this.#indicator(c === 0x2d ? kinds.documentStart : kinds.documentEnd, 3);
        return;
      }
    }
    this.#fetchAt(c);
  }

  /** Scans a token by its first character. */
  #fetchAt(c: number): void {
    if (c === 0) this.#endStream();
    else if (c === 0x5b) this.#startFlow(kinds.flowSequenceStart);
    else if (c === 0x7b) this.#startFlow(kinds.flowMappingStart);
    else if (c === 0x5d) this.#endFlow(kinds.flowSequenceEnd);
    else if (c === 0x7d) this.#endFlow(kinds.flowMappingEnd);
    else if (c === 0x2c) this.#fetchFlowEntry();
    else if (c === 0x2a || c === 0x26 || c === 0x21 || c === 0x27 || c === 0x22) this.#fetchNodeStart(c);
    else if ((c === 0x7c || c === 0x3e) && this.#flowLevel === 0) this.#fetchBlockScalar(c === 0x7c);
    else if (c === 0x2d && isSpaceOrEnd(this.#cursor.peek(1))) this.#fetchBlockEntry();
    else if (c === 0x3f && this.#isIndicator()) this.#fetchKey();
    else if (c === 0x3a && this.#isIndicator()) this.#fetchValue();
    else if (this.#beginsPlain(c)) this.#fetchPlain();
    else throw this.#cursor.fail('found character that cannot start any token');
  }

  /** Reports whether the question mark or colon at the cursor is an indicator and not part of a text. */
  #isIndicator(): boolean {
    return this.#flowLevel > 0 || isSpaceOrEnd(this.#cursor.peek(1));
  }

  #beginsPlain(c: number): boolean {
    if (c === 0x2d) return !isBlank(this.#cursor.peek(1));
    if (c === 0x3f || c === 0x3a) return this.#flowLevel === 0;
    return !isSpaceOrEnd(c) && !neverFirst.has(c);
  }

  /** Skips white space and comments. Tabs are not indentation. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    if (cursor.at === 0 && cursor.peek() === 0xfeff) cursor.at++;
    for (;;) {
      const tabs = this.#flowLevel > 0 || !this.#keyAllowed;
      let c = cursor.peek();
      while (c === 0x20 || (tabs && c === 0x09)) {
        cursor.at++;
        c = cursor.peek();
      }
      cursor.need(1);
      cursor.skipComment();
      if (!cursor.onBreak) return;
      cursor.need(2);
      cursor.skipBreak();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  /** Begins a block if the column is deeper than the current block. */
  #rollIndent(column: number): boolean {
    if (this.#flowLevel > 0 || this.#indent >= column) return false;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > maxIndents) throw this.#cursor.fail(`exceeded max depth of ${maxIndents}`);
    return true;
  }

  /** Ends the blocks that are deeper than the column. */
  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push(kinds.blockEnd);
      this.#indent = this.#indents.pop() as number;
    }
  }

  #endBlocks(): void {
    this.#unrollIndent(-1);
    this.#keys.remove();
    this.#keyAllowed = false;
  }

  #endStream(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.line++;
      cursor.lineStart = cursor.at;
    }
    this.#endBlocks();
    this.#push(kinds.streamEnd);
  }

  /** Records that a simple key may begin at the cursor. */
  #saveKey(): SimpleKey | undefined {
    if (!this.#keyAllowed) return undefined;
    return this.#keys.save(this.#flowLevel === 0 && this.#indent === this.#cursor.column);
  }

  #pushNode(token: Token, key: SimpleKey | undefined): void {
    token.key = key;
    if (key !== undefined) key.token = token;
    this.#queue.push(token);
  }

  #startFlow(kind: TokenKind): void {
    const key = this.#saveKey();
    this.#keys.enter(key);
    if (++this.#flowLevel > maxFlowLevel) throw this.#cursor.fail(`exceeded max depth of ${maxFlowLevel}`);
    this.#keyAllowed = true;
    this.#pushNode(new Token(kind, this.#cursor.line), key);
    this.#cursor.at++;
  }

  #endFlow(kind: TokenKind): void {
    this.#keys.remove();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.leave();
    }
    this.#keyAllowed = false;
    this.#indicator(kind);
  }

  /** Checks that a block may begin here, and begins it if necessary. */
  #enterBlock(kind: TokenKind, what: string): void {
    const cursor = this.#cursor;
    if (!this.#keyAllowed) throw cursor.fail(`${what} are not allowed in this context`);
    if (this.#rollIndent(cursor.column)) this.#push(kind);
  }

  #fetchFlowEntry(): void {
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#indicator(kinds.flowEntry);
  }

  #fetchBlockScalar(literal: boolean): void {
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#queue.push(scanBlock(this.#cursor, literal, this.#indent));
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) this.#enterBlock(kinds.blockSequenceStart, 'block sequence entries');
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#indicator(kinds.blockEntry);
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) this.#enterBlock(kinds.blockMappingStart, 'mapping keys');
    this.#keys.remove();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#indicator(kinds.key);
  }

  #fetchValue(): void {
    const key = this.#keys.complete();
    if (key !== undefined) {
      const startsMapping = this.#rollIndent(key.column);
      if (!key.token.isGiven) key.token.before = startsMapping ? 2 : 1;
      else {
        // go-yaml appends the token if the parser has already taken the token that should follow it
        this.#queue.push(new Token(kinds.key, key.line));
        if (startsMapping) this.#queue.push(new Token(kinds.blockMappingStart, key.line));
      }
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) this.#enterBlock(kinds.blockMappingStart, 'mapping values');
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#indicator(kinds.value);
  }

  /** Scans an alias, anchor, tag or quoted scalar. It may begin a simple key, and no simple key may follow it. */
  #fetchNodeStart(c: number): void {
    const cursor = this.#cursor;
    const key = this.#saveKey();
    this.#keyAllowed = false;
    let token: Token;
    if (c === 0x2a) token = scanAnchor(cursor, kinds.alias);
    else if (c === 0x26) token = scanAnchor(cursor, kinds.anchor);
    else if (c === 0x21) token = scanTag(cursor);
    else token = scanQuoted(cursor, c === 0x27);
    this.#pushNode(token, key);
  }

  #fetchPlain(): void {
    const key = this.#saveKey();
    const { token, broken } = scanPlain(this.#cursor, this.#indent + 1, this.#flowLevel > 0);
    this.#keyAllowed = broken;
    this.#pushNode(token, key);
  }
}
