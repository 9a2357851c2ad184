import { type Location, noLocation, type Source } from './source.ts';

interface Issue {
  readonly location: Location;
  readonly message: string;
}

const maxReported = 100;
/** The maximum length of displayed lines. */
const maxSnippetLength = 16_384;

/** The errors in an expression, displayed as cel-go does. (common/errors.go, common/error.go) */
export class Issues {
  readonly #source: Source;
  #issues: Issue[] = [];
  #count = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  get count(): number {
    return this.#count;
  }

  /** @param offset undefined for an error without a position */
  report(offset: number | undefined, message: string): void {
    this.#count++;
    if (this.#count > maxReported) return;
    this.#issues.push({ location: offset === undefined ? noLocation : this.#source.location(offset), message });
  }

  /** Displays each error as `ERROR: <input>:1:5: message`, followed by its line and a caret below the column. */
  toString(): string {
    this.#issues.sort((a, b) => a.location.line - b.location.line || a.location.column - b.location.column);
    const texts = this.#issues.map((issue) => display(issue, this.#source));
    if (this.#count > maxReported) texts.push(`${this.#count - maxReported} more errors were truncated`);
    return texts.join('\n');
  }
}

function display({ location, message }: Issue, source: Source): string {
  // a text without characters has no place
  if (source.text === '') return `ERROR: <input>:1:0: ${message}`;
  const text = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const line = source.line(location.line)?.replaceAll('\t', ' ');
  if (line === undefined || Buffer.byteLength(line) > maxSnippetLength) return text;
  const chars = [...line];
  let marks = '';
  for (const char of chars.slice(0, location.column)) marks += isWide(char) ? '．' : '.';
  const marked = chars[location.column];
  marks += marked !== undefined && isWide(marked) ? '＾' : '^';
  return `${text}\n | ${line}\n | ${marks}`;
}

const isWide = (char: string): boolean => (char.codePointAt(0) as number) > 0x7f;
