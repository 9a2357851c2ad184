import { GoText, type GoToken } from './tokens.ts';

/** The declarations of one Go file from which field facts are made. */
export interface GoFile {
  /** Import paths by the names that the file uses for them. */
  readonly imports: ReadonlyMap<string, string>;
  readonly types: readonly GoType[];
  readonly constants: readonly GoConstant[];
}

/** The files of Go packages by import path. */
export type GoPackages = ReadonlyMap<string, readonly GoFile[]>;

/** `type Name ...`: a struct with fields, or another type. */
export interface GoType {
  readonly name: string;
  readonly comment: readonly string[];
  /** The fields of a struct; undefined for other types. */
  readonly fields?: readonly GoField[];
  /** The source text of the type, without spaces and comments. */
  readonly type: string;
}

export interface GoField {
  readonly name: string;
  readonly embedded: boolean;
  readonly type: string;
  /** The field's tag without its quotes; empty if it has none. */
  readonly tag: string;
  readonly comment: readonly string[];
}

/** `name type = value`. */
export interface GoConstant {
  readonly name: string;
  /** The type in front of the value, or around it as in `PathType("Exact")`; empty if there is none. */
  readonly type: string;
  /** The strings and constant names whose sum is the value; undefined for other values. */
  readonly value?: readonly GoOperand[] | undefined;
}

export type GoOperand = { readonly text: string } | { readonly constant: string };

/**
 * Reads the imports, types and constants of a Go file. Skips functions, variables and generic types.
 *
 * @throws ImportError with file, line and column for text that cannot be Go
 */
export function parseGoFile(text: string, file: string): GoFile {
  return new Parser(new GoText(text, file)).file();
}

const opening: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const closing = new Set(Object.values(opening));

class Parser {
  readonly #source: GoText;
  readonly #imports = new Map<string, string>();
  readonly #types: GoType[] = [];
  readonly #constants: GoConstant[] = [];
  #next = 0;

  constructor(source: GoText) {
    this.#source = source;
  }

  file(): GoFile {
    this.#expect('package');
    this.#word();
    this.#skipStatement();
    while (!this.#atEnd) {
      const { text } = this.#peek();
      if (text === 'import') this.#declarations(() => this.#import());
      else if (text === 'type') this.#declarations((comment) => this.#type(comment));
      else if (text === 'const') this.#declarations(() => this.#constant());
      else if (text === 'func' || text === 'var') this.#skipStatement();
      else throw this.#fault('expected a declaration');
    }
    return { imports: this.#imports, types: this.#types, constants: this.#constants };
  }

  /** Reads a keyword and one specification, or several in parentheses. */
  #declarations(specification: (comment: readonly string[]) => void): void {
    const above = this.#source.commentAbove(this.#peek().offset);
    this.#next++;
    if (!this.#accept('(')) {
      specification(above);
      this.#endOfStatement();
      return;
    }
    while (!this.#accept(')')) {
      specification(this.#source.commentAbove(this.#peek().offset));
      if (this.#peek().text !== ')') this.#endOfStatement();
    }
    this.#endOfStatement();
  }

  #import(): void {
    const named = this.#peek().kind === 'string' ? undefined : this.#take().text;
    const token = this.#take();
    if (token.kind !== 'string') throw this.#fault('expected an import path', token);
    const path = unquote(token.text);
    this.#imports.set(named ?? packageName(path), path);
  }

  #type(comment: readonly string[]): void {
    const name = this.#word();
    if (this.#hasParameters()) {
      this.#typeText();
      return;
    }
    this.#accept('=');
    const start = this.#next;
    if (this.#peek().text === 'struct') {
      this.#next++;
      const fields = this.#fields();
      this.#types.push({ name, comment, fields, type: 'struct' });
      return;
    }
    const type = this.#typeText();
    if (type === '') throw this.#fault('expected a type', this.#source.tokens[start]);
    this.#types.push({ name, comment, type });
  }

  /** Reports whether `[` opens type parameters, as in `[T any]`, and not an array or a slice. */
  #hasParameters(): boolean {
    const [bracket, first, second] = this.#source.tokens.slice(this.#next, this.#next + 3);
    return bracket?.text === '[' && first?.kind === 'word' && (second?.kind === 'word' || second?.text === ',');
  }

  #fields(): GoField[] {
    const fields: GoField[] = [];
    this.#expect('{');
    while (!this.#accept('}')) {
      fields.push(...this.#field());
      if (this.#peek().text !== '}') this.#endOfStatement();
    }
    return fields;
  }

  #field(): GoField[] {
    const comment = this.#source.commentAbove(this.#peek().offset);
    const embedded = this.#isEmbedded();
    const names: string[] = embedded ? [] : [this.#word()];
    while (!embedded && this.#accept(',')) names.push(this.#word());
    const start = this.#peek();
    const type = this.#typeText();
    if (type === '') throw this.#fault('expected the type of a field', start);
    const tag = this.#peek().kind === 'string' ? unquote(this.#take().text) : '';
    if (embedded) names.push(type.replace(/^\*/, ''));
    return names.map((name) => ({ name, embedded, type, tag, comment }));
  }

  #isEmbedded(): boolean {
    const [first, second] = this.#source.tokens.slice(this.#next, this.#next + 2);
    return first?.text === '*' || second?.kind === 'string' || ['.', ';', '}'].includes(second?.text ?? '');
  }

  #constant(): void {
    const names = [this.#word()];
    while (this.#accept(',')) names.push(this.#word());
    const type = this.#typeText('=');
    if (!this.#accept('=')) return;
    const value = this.#tokensOfStatement();
    if (names.length > 1) return;
    const [name = ''] = names;
    const [around, open, close] = [value[0], value[1], value.at(-1)];
    if (type === '' && around?.kind === 'word' && open?.text === '(' && close?.text === ')')
      this.#constants.push({ name, type: around.text, value: operandsOf(value.slice(2, -1)) });
    else this.#constants.push({ name, type, value: operandsOf(value) });
  }

  /** Returns the text of a type: everything up to a tag, `end`, or the end of the statement. */
  #typeText(end?: string): string {
    let text = '';
    let before: GoToken | undefined;
    for (const token of this.#tokensOfStatement((next) => next.kind === 'string' || next.text === end)) {
      text += before?.kind === 'word' && token.kind === 'word' ? ` ${token.text}` : token.text;
      before = token;
    }
    return text;
  }

  /** Returns the tokens up to the end of the statement, or up to a token outside of brackets that `ends` accepts. */
  #tokensOfStatement(ends: (token: GoToken) => boolean = () => false): GoToken[] {
    const tokens: GoToken[] = [];
    const open: GoToken[] = [];
    for (;;) {
      const token = this.#source.tokens[this.#next];
      if (token === undefined) {
        const unclosed = open.at(-1);
        if (unclosed) throw this.#fault(`\`${unclosed.text}\` is not closed`, unclosed);
        return tokens;
      }
      if (open.length === 0 && (token.text === ';' || closing.has(token.text) || ends(token))) return tokens;
      if (token.kind === 'sign' && opening[token.text]) open.push(token);
      else if (token.kind === 'sign' && closing.has(token.text)) {
        const opener = open.pop();
        if (opener && opening[opener.text] !== token.text) throw this.#fault(`unexpected \`${token.text}\``, token);
      }
      tokens.push(token);
      this.#next++;
    }
  }

  #skipStatement(): void {
    this.#tokensOfStatement();
    this.#endOfStatement();
  }

  #endOfStatement(): void {
    if (!this.#atEnd) this.#expect(';');
  }

  get #atEnd(): boolean {
    return this.#next >= this.#source.tokens.length;
  }

  #peek(): GoToken {
    const token = this.#source.tokens[this.#next];
    if (token === undefined) throw this.#fault('the file ends too early', this.#source.tokens.at(-1));
    return token;
  }

  #take(): GoToken {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #word(): string {
    const token = this.#peek();
    if (token.kind !== 'word') throw this.#fault(`expected a name instead of \`${shown(token)}\``);
    return this.#take().text;
  }

  #accept(text: string): boolean {
    if (this.#peek().text !== text) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    const token = this.#atEnd ? undefined : this.#peek();
    if (token?.text !== text) throw this.#fault(`expected \`${text}\`${token ? ` instead of \`${shown(token)}\`` : ''}`);
    this.#next++;
  }

  #fault(message: string, token: GoToken | undefined = this.#source.tokens[this.#next]): Error {
    return this.#source.fault(token?.offset ?? 0, message);
  }
}

/** Reads `"a"`, `name`, `package.name`, and sums of these. */
function operandsOf(tokens: readonly GoToken[]): readonly GoOperand[] | undefined {
  const [first, ...rest] = tokens;
  if (first === undefined) return undefined;
  const [point, member] = rest;
  const isQualified = first.kind === 'word' && point?.text === '.' && member?.kind === 'word';
  const behind = isQualified ? rest.slice(2) : rest;
  const constant = isQualified ? `${first.text}.${member.text}` : first.text;
  if (first.kind !== 'string' && first.kind !== 'word') return undefined;
  const operand = first.kind === 'string' ? { text: unquote(first.text) } : { constant };
  if (behind.length === 0) return [operand];
  const others = behind[0]?.text === '+' ? operandsOf(behind.slice(1)) : undefined;
  return others && [operand, ...others];
}

const shown = ({ text }: GoToken): string => (text === ';' ? 'the end of the line' : text.slice(0, 40));

/** Guesses the package name of an import path: its last part, without characters that names cannot have. */
const packageName = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.v\d+$/, '')
    .replace(/^.*-/, '');

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Returns the value of a string literal. */
function unquote(literal: string): string {
  const inner = literal.slice(1, -1);
  if (literal.startsWith('`')) return inner.replaceAll('\r', '');
  return inner.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/g,
    (_, x: string | undefined, u: string | undefined, long: string | undefined, octal: string | undefined, one: string) =>
      octal !== undefined
        ? String.fromCodePoint(Number.parseInt(octal, 8))
        : one === undefined
          ? String.fromCodePoint(Number.parseInt(x ?? u ?? long ?? '', 16))
          : (escapes[one] ?? one),
  );
}
