import { ImportError } from '../source.ts';

export interface GoToken {
  readonly kind: 'word' | 'string' | 'literal' | 'sign';
  /** The token's source text. A sign is one character. `;` also stands for a line's end that ends a statement. */
  readonly text: string;
  readonly offset: number;
}

/** Consecutive comments on lines without code before them. */
export interface GoCommentGroup {
  readonly lastLine: number;
  readonly lines: readonly string[];
}

/** The tokens and comments of one Go file. */
export class GoText {
  readonly tokens: readonly GoToken[];
  readonly #file: string;
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  readonly #comments: ReadonlyMap<number, GoCommentGroup>;

  /** @throws ImportError with file, line and column for an unterminated string or comment */
  constructor(text: string, file: string) {
    this.#file = file;
    this.#text = text;
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const { tokens, comments } = this.#scan();
    this.tokens = tokens;
    this.#comments = new Map(comments.map((group) => [group.lastLine, group]));
  }

  lineOf(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Returns the comment that ends on the line above a declaration. */
  commentAbove(offset: number): readonly string[] {
    return this.#comments.get(this.lineOf(offset) - 1)?.lines ?? [];
  }

  fault(offset: number, message: string): ImportError {
    const line = this.lineOf(offset);
    return new ImportError(`${this.#file}:${line}:${offset - (this.#lineStarts[line - 1] ?? 0) + 1}: ${message}`);
  }

  #scan(): { readonly tokens: GoToken[]; readonly comments: GoCommentGroup[] } {
    const tokens: GoToken[] = [];
    const comments: GoCommentGroup[] = [];
    const pattern = new RegExp(goTokens);
    let lineHasCode = false;
    for (let match = pattern.exec(this.#text); match !== null; match = pattern.exec(this.#text)) {
      const [text] = match;
      const offset = match.index;
      const { space, comment, kind } = kindOf(match);
      if (text === '\n' || (comment && text.includes('\n'))) {
        if (endsStatement(tokens.at(-1))) tokens.push({ kind: 'sign', text: ';', offset });
        if (text === '\n') lineHasCode = false;
      }
      if (comment) {
        if (!lineHasCode) this.#addComment(comments, offset, text);
      } else if (!space) {
        if (kind === 'sign' && /["'`]/.test(text)) throw this.fault(offset, 'the string does not end');
        if (kind === 'sign' && this.#text.startsWith('/*', offset)) throw this.fault(offset, 'the comment does not end');
        tokens.push({ kind, text, offset });
        lineHasCode = true;
      }
    }
    const end = this.#text.length;
    if (endsStatement(tokens.at(-1))) tokens.push({ kind: 'sign', text: ';', offset: end });
    return { tokens, comments };
  }

  #addComment(comments: GoCommentGroup[], offset: number, text: string): void {
    const lines = text.startsWith('//') ? [text.slice(2)] : text.slice(2, -2).split('\n');
    const lastLine = this.lineOf(offset + text.length);
    const before = comments.at(-1);
    if (before?.lastLine !== this.lineOf(offset) - 1) comments.push({ lastLine, lines });
    else comments[comments.length - 1] = { lastLine, lines: [...before.lines, ...lines] };
  }
}

/** Groups: space, comment, word, string, other literal. Any other character is a sign. */
const goTokens =
  /([^\S\n]+|\n)|(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|([\p{L}_][\p{L}\p{Nd}_]*)|("(?:\\.|[^"\\\n])*"|`[^`]*`)|('(?:\\.|[^'\\\n])+'|\.?\d(?:[eEpP][+-]|[\w.])*)|[\s\S]/gu;

function kindOf([, space, comment, word, string, literal]: RegExpExecArray) {
  const kind: GoToken['kind'] = word ? 'word' : string ? 'string' : literal ? 'literal' : 'sign';
  return { space: space !== undefined, comment: comment !== undefined, kind };
}

/** Reports whether a line's end after this token ends a statement. (Go specification, "Semicolons") */
const endsStatement = (token: GoToken | undefined): boolean => token !== undefined && (token.kind !== 'sign' || /[)\]}]/.test(token.text));
