import type { Cursor } from './cursor.ts';
import { noToken, SimpleKey, type Token } from './token.ts';

/** A simple key is on one line, and its colon at most so many characters behind its beginning. */
const maxLength = 1024;

/** The simple keys that are still possible, one for each level of brackets. (libyaml scannerc.go) */
export class SimpleKeys {
  readonly #cursor: Cursor;
  /** By level. Places are used again: a token knows its key only as long as the key knows the token. */
  readonly #keys: SimpleKey[] = [new SimpleKey()];
  #level = 0;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Notes that the next token may be a key. @throws DecodeError where the one before had to be one */
  save(required: boolean): SimpleKey {
    const cursor = this.#cursor;
    this.remove();
    const key = this.#keys[this.#level];
    key.possible = true;
    key.tracked = true;
    key.required = required;
    key.token = noToken;
    key.line = cursor.line;
    key.column = cursor.column;
    key.index = cursor.index;
    key.bracket = undefined;
    return key;
  }

  /** Gives the level's key up. @throws DecodeError where it had to be one */
  remove(): void {
    const key = this.#keys[this.#level];
    if (!key.possible) return;
    if (key.required) throw this.#missingColon();
    key.possible = false;
    key.tracked = false;
  }

  /** @param bracket the key that the bracket itself may be */
  enter(bracket: SimpleKey | undefined): void {
    this.#level++;
    if (this.#level === this.#keys.length) this.#keys.push(new SimpleKey());
    const key = this.#keys[this.#level];
    key.possible = false;
    key.tracked = false;
    key.bracket = bracket;
  }

  leave(): void {
    const { bracket } = this.#keys[this.#level];
    // go-yaml forgets here that it waits for the bracket to be a key: `[]: x` is none, `[a]: x` is one
    if (bracket !== undefined) bracket.tracked = false;
    this.#level--;
  }

  /** Whether a token must wait, since it may still be a key. @throws DecodeError where it had to be one */
  isPending(token: Token): boolean {
    const { key } = token;
    return key !== undefined && key.token === token && key.tracked && this.#isValid(key);
  }

  /** A colon: the level's key, if it has one. @throws DecodeError where it is too long, and had to be one */
  complete(): SimpleKey | undefined {
    const key = this.#keys[this.#level];
    if (!this.#isValid(key)) return undefined;
    key.possible = false;
    key.tracked = false;
    return key;
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.line === this.#cursor.line && key.index + maxLength >= this.#cursor.index) return true;
    if (key.required) throw this.#missingColon();
    key.possible = false;
    return false;
  }

  #missingColon(): Error {
    return this.#cursor.fail("could not find expected ':'");
  }
}
