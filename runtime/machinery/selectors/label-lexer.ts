export type LabelTokenKind =
  | 'end'
  | ')'
  | ','
  | '!'
  | '=='
  | '='
  | '>'
  | 'identifier'
  | 'in'
  | '<'
  | '!='
  | 'notin'
  | '(';

export interface LabelToken {
  readonly kind: LabelTokenKind;
  /** The text of the token, "" at the end. */
  readonly text: string;
}

const end: LabelToken = { kind: 'end', text: '' };
const symbols: ReadonlyMap<string, LabelToken> = new Map(
  ([')', ',', '!', '==', '=', '>', '<', '!=', '('] as const).map((text) => [text, { kind: text, text }]),
);
const symbolAt = /[=!]=|[=!(),><]/y;
const wordAt = /[^=!(),>< \t\r\n\0]+/y;
const spaceAt = /[ \t\r\n]*/y;

/**
 * Cuts a label selector into tokens, one when it is asked for, `end` last. Words stop at white space and at =!(),>< only,
 * so that `a/b.c-d` is one word; `in` and `notin` are their own kinds, but among values words like others.
 */
export class LabelTokenReader {
  readonly #text: string;
  #at = 0;
  /** Read, and not taken. */
  #next: LabelToken | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): LabelToken {
    this.#next ??= this.#read();
    return asWord(this.#next);
  }

  take(): LabelToken {
    return asWord(this.takeOperator());
  }

  takeOperator(): LabelToken {
    const token = this.#next ?? this.#read();
    this.#next = undefined;
    return token;
  }

  /** Reading past the end gives the end again. */
  #read(): LabelToken {
    this.#match(spaceAt);
    if (this.#at >= this.#text.length || this.#text[this.#at] === '\0') return end;
    const symbol = symbols.get(this.#match(symbolAt));
    if (symbol !== undefined) return symbol;
    const text = this.#match(wordAt);
    // A NUL ends a word and is swallowed, as by upstream's reader.
    if (this.#text[this.#at] === '\0') this.#at++;
    return { kind: text === 'in' || text === 'notin' ? text : 'identifier', text };
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function asWord(token: LabelToken): LabelToken {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}
