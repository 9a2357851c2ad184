import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Cursor } from './cursor.ts';
import { noToken, SimpleKey, type Token } from './token.ts';

/** The maximum characters from the start of a simple key to its colon, on the same line. */
const maxLength = 1024;

/** The simple keys that are still possible: one for each level of flow collections. (libyaml scannerc.go) */
export class SimpleKeys {
  readonly #cursor: Cursor;
  /** Possible keys by level. Entries are reused: a token's key is valid only while the key refers to that token. */
  readonly #keys: SimpleKey[] = [];
  #level = 0;
  /** The key of this level. */
  #key = new SimpleKey();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#keys.push(this.#key);
  }

  /** Records that the next token may be a key. @throws DecodeError if the previous one had to be a key */
  save(required: boolean): SimpleKey {
    const cursor = this.#cursor;
    this.remove();
    const key = this.#key;
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

  /** Drops the key of this level. @throws DecodeError if it had to be a key */
  remove(): void {
    const key = this.#key;
    if (!key.possible) return;
    if (key.required) throw this.#missingColon();
    key.possible = false;
    key.tracked = false;
  }

  /** @param bracket the key that the bracket itself may begin */
  enter(bracket: SimpleKey | undefined): void {
    this.#level++;
    const key = this.#keys[this.#level] ?? new SimpleKey();
    this.#keys[this.#level] = key;
    this.#key = key;
    key.possible = false;
    key.tracked = false;
    key.bracket = bracket;
  }

  leave(): void {
    const { bracket } = this.#key;
    // go-yaml stops tracking the bracket as a key here, so `[]: x` has none but `[a]: x` has one
    if (bracket !== undefined) bracket.tracked = false;
    this.#level--;
    this.#key = elementAt(this.#keys, this.#level);
  }

  /** Reports whether a token must wait because it may still be a key. @throws DecodeError if it had to be a key */
  isPending(token: Token): boolean {
    const { key } = token;
    return key !== undefined && key.token === token && key.tracked && this.#isValid(key);
  }

  /**
   * Handles a colon. Returns the key of this level, if there is one. @throws DecodeError if a required key is too long
   */
  complete(): SimpleKey | undefined {
    const key = this.#key;
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
