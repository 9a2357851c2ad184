import { elementAt } from '../../machinery/collections/element-at.ts';

/** libyaml's kinds of tokens. */
export const kinds = {
  streamStart: 0,
  streamEnd: 1,
  versionDirective: 2,
  tagDirective: 3,
  documentStart: 4,
  documentEnd: 5,
  blockSequenceStart: 6,
  blockMappingStart: 7,
  blockEnd: 8,
  flowSequenceStart: 9,
  flowSequenceEnd: 10,
  flowMappingStart: 11,
  flowMappingEnd: 12,
  blockEntry: 13,
  flowEntry: 14,
  key: 15,
  value: 16,
  alias: 17,
  anchor: 18,
  tag: 19,
  scalar: 20,
} as const;

export type TokenKind = (typeof kinds)[keyof typeof kinds];

export class Token {
  readonly kind: TokenKind;
  /** The first line of the token, from 0. */
  readonly line: number;
  /** The text of a scalar, the name of an anchor or alias, the handle of a tag, or the version `1.1`. */
  readonly value: string;
  /** The text after the handle of a tag, or the prefix that a directive assigns to a handle. */
  readonly suffix: string;
  /** Whether the token is a scalar that is neither quoted nor a block. */
  isPlain = false;
  /** The entry that records this token as a possible simple key. */
  key: SimpleKey | undefined;
  /**
   * The tokens before this one, if it is a simple key: 1 for KEY, 2 for BLOCK-MAPPING-START and KEY. Inserting them
   * into the queue would move all later tokens.
   */
  before: 0 | 1 | 2 = 0;
  /** Whether the parser has taken it. */
  isGiven = false;

  constructor(kind: TokenKind, line: number, value = '', suffix = '') {
    this.kind = kind;
    this.line = line;
    this.value = value;
    this.suffix = suffix;
  }
}

/** The token of an impossible key. */
export const noToken = new Token(kinds.streamStart, 0);

/** A possible key without a question mark: the last node of its level that could be one. */
export class SimpleKey {
  token: Token = noToken;
  possible = false;
  /** Whether only a key is allowed here, so that a missing colon is an error. */
  required = false;
  /** Whether the queue waits for the key. */
  tracked = false;
  line = 0;
  column = 0;
  /** The index in characters. */
  index = 0;
  /** The key that the bracket around this level may begin, until a key is recorded in this level. */
  bracket: SimpleKey | undefined;
}

/** The tokens that the parser has not taken, as a ring buffer. */
export class TokenQueue {
  /** The ring, whose length is a power of two. */
  #tokens: Token[] = new Array<Token>(16);
  #head = 0;
  #size = 0;
  /** The token before the first one, created on request. */
  #before: Token | undefined;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** The first token, without the tokens before it. */
  get head(): Token {
    return elementAt(this.#tokens, this.#head);
  }

  get first(): Token {
    const token = this.head;
    if (token.before === 0) return token;
    this.#before ??= new Token(token.before === 2 ? kinds.blockMappingStart : kinds.key, token.line);
    return this.#before;
  }

  push(token: Token): void {
    if (this.#size === this.#tokens.length) this.#grow();
    this.#tokens[(this.#head + this.#size++) & (this.#tokens.length - 1)] = token;
  }

  shift(): void {
    const token = this.head;
    if (token.before > 0) {
      token.before--;
      this.#before = undefined;
      return;
    }
    token.isGiven = true;
    this.#head = (this.#head + 1) & (this.#tokens.length - 1);
    this.#size--;
  }

  #grow(): void {
    const tokens = [...this.#tokens.slice(this.#head), ...this.#tokens.slice(0, this.#head)];
    tokens.length *= 2;
    this.#tokens = tokens;
    this.#head = 0;
  }
}
