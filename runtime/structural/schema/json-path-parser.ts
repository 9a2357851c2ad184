/** One step of a path. (client-go util/jsonpath/node.go) */
export type PathNode =
  | { readonly step: 'field'; readonly name: string }
  | { readonly step: 'wildcard' }
  | { readonly step: 'recursive' }
  | { readonly step: 'literal'; readonly value: string | number | boolean }
  /** A word that is not a keyword, without a value. */
  | { readonly step: 'identifier'; readonly name: string }
  | {
      readonly step: 'slice';
      readonly from?: number | undefined;
      readonly to?: number | undefined;
      readonly by?: number | undefined;
      readonly single: boolean;
    }
  | { readonly step: 'union'; readonly paths: readonly (readonly PathNode[])[] }
  | {
      readonly step: 'filter';
      readonly left: readonly PathNode[];
      readonly operator: string;
      readonly right: readonly PathNode[];
    };

/** An invalid path, or a path that does not match the object. */
export class JsonPathError extends Error {
  readonly isJsonPathError = true;
}

export const isJsonPathError = (error: unknown): error is JsonPathError =>
  typeof error === 'object' && error !== null && (error as JsonPathError).isJsonPathError === true;

/**
 * Parses the text between the braces of kubectl's JSONPath: fields, indexes, slices, unions, wildcards, filters and
 * recursive descent. (client-go util/jsonpath/parser.go)
 *
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): PathNode[] {
  return new Parser(text).parse();
}

const terminators = new Set([' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);

class Parser {
  readonly #text: string;
  #at = 0;
  readonly #nodes: PathNode[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PathNode[] {
    while (this.#at < this.#text.length) this.#step();
    return this.#nodes;
  }

  #step(): void {
    const text = this.#text;
    const char = text.charAt(this.#at);
    if (text.startsWith('[?(', this.#at)) this.#filter();
    else if (text.startsWith('..', this.#at)) this.#recursive();
    else if (char === ' ' || char === '@' || char === '$') this.#at++;
    else if (char === '[') this.#brackets();
    else if (char === '"' || char === "'") this.#quoted(char);
    else if (char === '.') {
      this.#at++;
      this.#field();
    } else if (/[-+0-9]/.test(char)) this.#number();
    else if (/[\p{L}\p{Nd}_]/u.test(char)) this.#word();
    else if (char === '\n' || char === '\r' || char === '}') throw new JsonPathError('unclosed action');
    else throw new JsonPathError(`unrecognized character in action: ${char}`);
  }

  #field(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !terminators.has(this.#text.charAt(this.#at))) {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    const name = this.#text.slice(start, this.#at);
    this.#nodes.push(name === '*' ? { step: 'wildcard' } : { step: 'field', name: name.replaceAll('\\', '') });
  }

  #recursive(): void {
    if (this.#nodes[this.#nodes.length - 1]?.step === 'recursive') {
      throw new JsonPathError('invalid multiple recursive descent');
    }
    this.#at += 2;
    this.#nodes.push({ step: 'recursive' });
    if (/[\p{L}\p{Nd}_]/u.test(this.#text[this.#at] ?? '')) this.#field();
  }

  #number(): void {
    const found = /^[-+]?[0-9.]*/.exec(this.#text.slice(this.#at))?.[0] as string;
    const value = Number(found);
    if (!/[0-9]/.test(found) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${found}`);
    this.#at += found.length;
    this.#nodes.push({ step: 'literal', value });
  }

  #word(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !terminators.has(this.#text.charAt(this.#at))) this.#at++;
    const word = this.#text.slice(start, this.#at);
    const isBool = word === 'true' || word === 'false';
    this.#nodes.push(isBool ? { step: 'literal', value: word === 'true' } : { step: 'identifier', name: word });
  }

  #quoted(quote: string): void {
    let end = this.#at + 1;
    while (end < this.#text.length && (this.#text[end] !== quote || this.#text[end - 1] === '\\')) end++;
    if (end >= this.#text.length) throw new JsonPathError('unterminated quoted string');
    const value = this.#text.slice(this.#at + 1, end).replace(/\\(.)/g, '$1');
    this.#at = end + 1;
    this.#nodes.push({ step: 'literal', value });
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) throw new JsonPathError('unterminated array');
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inside.split(',');
    if (parts.length > 1) {
      this.#nodes.push({ step: 'union', paths: parts.map((part) => parseJsonPath(`[${part.trim()}]`)) });
      return;
    }
    const key = /^'([^']*)'$/.exec(inside);
    if (key) this.#nodes.push(...parseJsonPath(`.${key[1]}`));
    else this.#nodes.push(sliceOf(inside === '*' ? ':' : inside));
  }

  #filter(): void {
    const start = this.#at + 3;
    const end = this.#filterEnd(start);
    if (this.#text[end + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    const inside = this.#text.slice(start, end);
    this.#at = end + 2;
    const parts = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(inside);
    if (!parts) this.#nodes.push({ step: 'filter', left: parseJsonPath(inside), operator: 'exists', right: [] });
    else {
      const [, left = '', operator = '', right = ''] = parts;
      this.#nodes.push({ step: 'filter', left: parseJsonPath(left), operator, right: parseJsonPath(right) });
    }
  }

  /** Returns the index of the closing parenthesis. Parentheses in quotes are ignored. */
  #filterEnd(start: number): number {
    let quote = '';
    let closed = false;
    for (let at = start; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === '"' || char === "'") {
        if (quote === '') quote = char;
        else if (char === quote && this.#text[at - 1] !== '\\') closed = true;
      } else if (char === ')' && (quote !== '') === closed) return at;
    }
    throw new JsonPathError('unterminated filter');
  }
}

function sliceOf(text: string): PathNode {
  const parts = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text);
  if (!parts) throw new JsonPathError(`invalid array index ${text}`);
  const [from, to, by] = parts.slice(1).map((part) => number(part?.replace(':', '')));
  return { step: 'slice', from, to, by, single: parts[2] === undefined && from !== undefined };
}

function number(text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (text === '-') throw new JsonPathError('array index - is not a number');
  return Number(text);
}
