/** Kinds of tokens, libyaml's. */
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
  /** Where it begins, from 0. */
  readonly line: number;
  /** The text of a scalar, the name of an anchor or alias, the handle of a tag, `1.1` of a version. */
  readonly value: string;
  /** What follows the handle of a tag; the prefix that a directive gives to a handle. */
  readonly suffix: string;
  /** A scalar without quotes that is no block. */
  isPlain = false;
  /** Where this token is noted as one that may be a simple key. */
  key: SimpleKey | undefined;
  /**
   * What comes before this token, since it turned out to be a simple key: 1 the KEY token, 2 BLOCK-MAPPING-START and
   * KEY. Tokens put into the middle of the queue would move all that stand behind them.
   */
  before: 0 | 1 | 2 = 0;
  /** The parser has it. */
  isGiven = false;

  constructor(kind: TokenKind, line: number, value = '', suffix = '') {
    this.kind = kind;
    this.line = line;
    this.value = value;
    this.suffix = suffix;
  }
}

/** Stands for the token of a key that is not possible. */
export const noToken = new Token(kinds.streamStart, 0);

/** What may turn out to be a key without a question mark: the last node of its level of brackets that could be one. */
export class SimpleKey {
  token: Token = noToken;
  possible = false;
  /** It stands where only a key may: no colon is an error. */
  required = false;
  /** Whether the queue waits for it. */
  tracked = false;
  line = 0;
  column = 0;
  /** In characters. */
  index = 0;
  /** The key that the bracket around this level may be, as long as none was noted in this level. */
  bracket: SimpleKey | undefined;
}

/** Tokens that the parser has not taken yet, first in first out: a ring. */
export class TokenQueue {
  /** As many as a power of two. */
  #tokens: Token[] = new Array<Token>(16);
  #head = 0;
  #size = 0;
  /** What comes before the first token, once it was asked for. */
  #before: Token | undefined;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** The first token, without what comes before it. */
  get head(): Token {
    return this.#tokens[this.#head];
  }

  get first(): Token {
    const token = this.#tokens[this.#head];
    if (token.before === 0) return token;
    this.#before ??= new Token(token.before === 2 ? kinds.blockMappingStart : kinds.key, token.line);
    return this.#before;
  }

  push(token: Token): void {
    if (this.#size === this.#tokens.length) this.#grow();
    this.#tokens[(this.#head + this.#size++) & (this.#tokens.length - 1)] = token;
  }

  shift(): void {
    const token = this.#tokens[this.#head];
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
