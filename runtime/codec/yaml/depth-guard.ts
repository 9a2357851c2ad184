import { DecodeError } from '../../machinery/decode-error.ts';

/**
 * How deep YAML may nest. The library's composer is recursive and runs out of stack at about 700 levels; worse, V8
 * ends the process when a regular expression is compiled so near the end of the stack. No real manifest passes 100.
 */
export const maxYamlDepth = 256;

/** Lexemes without text that the lexer puts in: the next lexeme is a scalar's text; a document or flow begins or ends. */
const scalarMark = '\x1f';
const marks: ReadonlySet<string> = new Set([scalarMark, '\x02', '\x18']);
const indicators: ReadonlySet<string> = new Set(['-', '?', ':']);

/** Watches a YAML text's lexemes go by, and refuses what nests too deep before anything recursive sees it. */
export class DepthGuard {
  #flow = 0;
  #column = 0;
  /** Columns at which the block nodes around the cursor begin. */
  readonly #columns: number[] = [];
  /** Nothing but white space and indicators so far on this line. */
  #atStart = true;
  #isScalar = false;

  /** Throws DecodeError. */
  next(lexeme: string): void {
    if (marks.has(lexeme)) {
      this.#isScalar = lexeme === scalarMark;
      return;
    }
    const isText = this.#isScalar;
    this.#isScalar = false;
    if (!isText && (lexeme === '[' || lexeme === '{')) this.#flow++;
    else if (!isText && (lexeme === ']' || lexeme === '}')) this.#flow = Math.max(0, this.#flow - 1);
    const isSpace = !isText && /^[ \t\r\n]*$/.test(lexeme);
    if (!isSpace && this.#flow === 0 && this.#atStart) {
      this.#enterColumn();
      this.#atStart = !isText && indicators.has(lexeme);
    }
    if (this.#columns.length + this.#flow > maxYamlDepth) {
      throw new DecodeError(`yaml: exceeded max depth of ${maxYamlDepth}`);
    }
    const lineEnd = lexeme.lastIndexOf('\n');
    if (lineEnd < 0) this.#column += lexeme.length;
    else {
      this.#column = lexeme.length - lineEnd - 1;
      this.#atStart = true;
    }
  }

  #enterColumn(): void {
    while (this.#columns.length > 0 && this.#columns[this.#columns.length - 1] > this.#column) this.#columns.pop();
    if (this.#columns[this.#columns.length - 1] !== this.#column) this.#columns.push(this.#column);
  }
}
