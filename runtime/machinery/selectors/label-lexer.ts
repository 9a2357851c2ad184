type LabelTokenKind = 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'identifier' | 'in' | '<' | '!=' | 'notin' | '(';

export interface LabelToken {
  readonly kind: LabelTokenKind;
  /** The text of the token; "" at the end. */
  readonly text: string;
}

const end: LabelToken = { kind: 'end', text: '' };
const symbols: ReadonlyMap<string, LabelToken> = new Map(
  ([')', ',', '!', '==', '=', '>', '<', '!=', '('] as const).map((text) => [text, { kind: text, text }]),
);
const wordAt = /[^=!(),>< \t\r\n\0]+/y;

/**
 * Reads the tokens of a label selector one by one; the last is `end`. Words stop only at white space and =!(),><, so
 * `a/b.c-d` is one word. `in` and `notin` are tokens of their own kind, but ordinary words among values.
 */
export class LabelTokenReader {
  readonly #text: string;
  #at = 0;
  /** A token that was read but not taken. */
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

  /** Returns `end` again after the end. */
  #read(): LabelToken {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at >= this.#text.length || this.#text[this.#at] === '\0') return end;
    const single = symbols.get(this.#text.charAt(this.#at));
    if (single !== undefined) {
      // The longest symbol wins: `!=` before `!`.
      const double = this.#text[this.#at + 1] === '=' ? symbols.get(`${single.text}=`) : undefined;
      this.#at += double ? 2 : 1;
      return double ?? single;
    }
    wordAt.lastIndex = this.#at;
    wordAt.test(this.#text);
    const text = this.#text.slice(this.#at, wordAt.lastIndex);
    // A NUL ends a word and is skipped, as upstream's lexer does.
    this.#at = wordAt.lastIndex + (this.#text[wordAt.lastIndex] === '\0' ? 1 : 0);
    return { kind: text === 'in' || text === 'notin' ? text : 'identifier', text };
  }
}

/** Space, tab, line feed, carriage return. */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

function asWord(token: LabelToken): LabelToken {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}
