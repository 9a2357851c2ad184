import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Issues } from './errors.ts';
import type { Token } from './lexer.ts';

/** Thrown to stop parsing after an error has been reported. */
export const stopped = Symbol('stopped');

/** Iterates over the tokens of an expression. */
export class Cursor {
  readonly #tokens: readonly Token[];
  readonly #issues: Issues;
  #at = 0;

  constructor(tokens: readonly Token[], issues: Issues) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  /** The next token. */
  get token(): Token {
    return elementAt(this.#tokens, this.#at);
  }

  /** Reports whether the next token is this operator or delimiter. */
  is(text: string): boolean {
    const next = this.token;
    return next.text === text && (next.kind === 'punctuation' || next.kind === 'in');
  }

  /** Consumes the next token if it has this text. */
  take(text: string): Token | undefined {
    const { token } = this;
    if (!this.is(text)) return undefined;
    this.#at++;
    return token;
  }

  /** Consumes the next token unless it is the end. */
  next(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  /** Consumes the expected token, or reports a syntax error and throws `stopped`. */
  expect(text: string): Token {
    const token = this.take(text);
    if (token) return token;
    const { text: found, kind } = this.token;
    const after = this.#tokens[this.#at + 1];
    if (after?.text === text) {
      this.syntaxError(`extraneous input '${found}' expecting '${text}'`);
      this.#at += 2;
      return after;
    }
    if (kind === 'end' || ')]},:?'.includes(found)) {
      if (text === ')' || text === ']' || text === '}') {
        this.syntaxError(`missing '${text}' at '${found}'`);
        throw stopped;
      }
    }
    this.syntaxError(`mismatched input '${found}' expecting '${text}'`);
    throw stopped;
  }

  /** Reports a syntax error at the next token. */
  syntaxError(message: string): void {
    this.#issues.report(this.token.offset, `Syntax error: ${message}`);
  }

  /** Returns the token `count` after the next one, or the end. */
  ahead(count = 1): Token {
    return elementAt(this.#tokens, Math.min(this.#at + count, this.#tokens.length - 1));
  }

  /** Goes back to a token. */
  back(token: Token): void {
    this.#at = this.#tokens.indexOf(token);
  }
}
