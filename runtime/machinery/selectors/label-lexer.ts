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

const symbols: ReadonlySet<string> = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const special = '=!(),><';
const space = ' \t\r\n';

/**
 * Cuts a label selector into tokens, `end` last. Words stop at white space and at =!(),>< only, so that
 * `a/b.c-d` is one word; `in` and `notin` are their own kinds wherever they stand.
 */
export function labelTokens(text: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && space.includes(text[at])) at++;
    if (at >= text.length || text[at] === '\0') {
      tokens.push({ kind: 'end', text: '' });
      return tokens;
    }
    const start = at;
    if (special.includes(text[at])) {
      // The longest symbol wins: `!=` before `!`.
      at += symbols.has(text.slice(at, at + 2)) ? 2 : 1;
      const symbol = text.slice(start, at);
      tokens.push({ kind: symbol as LabelTokenKind, text: symbol });
      continue;
    }
    while (at < text.length && text[at] !== '\0' && !special.includes(text[at]) && !space.includes(text[at])) at++;
    const word = text.slice(start, at);
    // A NUL ends a word and is swallowed, as by upstream's reader.
    if (text[at] === '\0') at++;
    tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
  }
}

/** Reads tokens one after the other. Among values, `in` and `notin` are words like others. */
export class LabelTokenReader {
  readonly #tokens: readonly LabelToken[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = labelTokens(text);
  }

  peek(): LabelToken {
    return asWord(this.#at());
  }

  take(): LabelToken {
    const token = asWord(this.#at());
    this.#next++;
    return token;
  }

  takeOperator(): LabelToken {
    const token = this.#at();
    this.#next++;
    return token;
  }

  /** Reading past the end gives the end again. */
  #at(): LabelToken {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)];
  }
}

function asWord(token: LabelToken): LabelToken {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}
