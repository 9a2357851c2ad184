import { bytesValue, Double, intValue, Uint } from '../values/value.ts';
import type { Call, Expr, MapEntry, NodeId, StructField } from './ast.ts';
import { Issues } from './errors.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import { type Macro, MacroError, MacroFactory } from './macros.ts';
import { codePointLength, Source } from './source.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

/** A parsed expression and where each of its nodes stands. */
export interface Ast {
  readonly source: Source;
  readonly expr: Expr;
  /** Offsets by node id. */
  readonly offsets: ReadonlyMap<NodeId, number>;
}

const maxDepth = 250;
const maxCodePoints = 100_000;

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const expressionStart =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const relations: Readonly<Record<string, string>> = {
  '==': '_==_',
  '!=': '_!=_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  in: '@in',
};
const sums: Readonly<Record<string, string>> = { '+': '_+_', '-': '_-_' };
const products: Readonly<Record<string, string>> = { '*': '_*_', '/': '_/_', '%': '_%_' };

/** Ends parsing; what is wrong has been reported. */
const stopped = Symbol('stopped');

/** Parses an expression and expands its macros. With issues the ast is absent. (cel-go parser/parser.go) */
export function parse(text: string, macros: readonly Macro[], quotedFields = false): { ast?: Ast; issues: Issues } {
  const source = new Source(text);
  const issues = new Issues(source);
  const size = codePointLength(text);
  if (size > maxCodePoints) {
    issues.report(undefined, `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`);
    return { issues };
  }
  const parser = new Parser(tokenize(text, issues), issues, macros, quotedFields);
  const expr = parser.parse();
  if (expr === undefined || issues.count > 0) return { issues };
  return { ast: { source, expr, offsets: parser.offsets }, issues };
}

class Parser {
  readonly offsets = new Map<NodeId, number>();
  readonly #tokens: readonly Token[];
  readonly #issues: Issues;
  readonly #macros = new Map<string, Macro>();
  readonly #quotedFields: boolean;
  #at = 0;
  #nextId = 1;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: Issues, macros: readonly Macro[], quotedFields: boolean) {
    this.#quotedFields = quotedFields;
    this.#tokens = tokens;
    this.#issues = issues;
    for (const macro of macros) this.#macros.set(macroKey(macro.name, macro.receiver, macro.args), macro);
  }

  parse(): Expr | undefined {
    try {
      const expr = this.#expr();
      const token = this.#token;
      if (token.kind !== 'end') {
        const lone = this.#tokens[this.#at + 1].kind === 'end';
        this.#syntaxError(`${lone ? 'extraneous' : 'mismatched'} input '${token.text}' expecting <EOF>`);
      }
      return expr;
    } catch (error) {
      if (error !== stopped) throw error;
      return undefined;
    }
  }

  get #token(): Token {
    return this.#tokens[this.#at];
  }

  #is(text: string): boolean {
    const { kind, text: own } = this.#tokens[this.#at];
    return own === text && (kind === 'punctuation' || kind === 'in');
  }

  /** The token with this text is taken and given back, if it is next. */
  #take(text: string): Token | undefined {
    if (!this.#is(text)) return undefined;
    return this.#tokens[this.#at++];
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  #expect(text: string): Token {
    const token = this.#take(text);
    if (token) return token;
    const { text: found, kind } = this.#token;
    const after = this.#tokens[this.#at + 1];
    if (after?.text === text) {
      this.#syntaxError(`extraneous input '${found}' expecting '${text}'`);
      this.#at += 2;
      return after;
    }
    if (kind === 'end' || ')]},:?'.includes(found)) {
      if (text === ')' || text === ']' || text === '}') {
        this.#syntaxError(`missing '${text}' at '${found}'`);
        throw stopped;
      }
    }
    this.#syntaxError(`mismatched input '${found}' expecting '${text}'`);
    throw stopped;
  }

  #syntaxError(message: string): void {
    this.#issues.report(this.#token.offset, `Syntax error: ${message}`);
  }

  #id(token: Token): NodeId {
    return this.idAt(token.offset);
  }

  idAt(offset: number): NodeId {
    const id = this.#nextId++;
    this.offsets.set(id, offset);
    return id;
  }

  #deeper(): void {
    if (++this.#depth <= maxDepth) return;
    this.#issues.report(undefined, `expression recursion limit exceeded: ${maxDepth}`);
    throw stopped;
  }

  #expr(): Expr {
    this.#deeper();
    let expr = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
    const question = this.#take('?');
    if (question) {
      const id = this.#id(question);
      const yes = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
      this.#expect(':');
      const no = this.#expr();
      expr = { kind: 'call', id, name: '_?_:_', args: [expr, yes, no] };
    }
    this.#depth--;
    return expr;
  }

  /** Terms of one operator become a balanced tree, so that long chains stay shallow. */
  #logical(operator: string, name: string, operand: () => Expr): Expr {
    const first = operand();
    if (!this.#is(operator)) return first;
    const terms = [first];
    const ids: NodeId[] = [];
    for (let token = this.#take(operator); token; token = this.#take(operator)) {
      const term = operand();
      ids.push(this.#id(token));
      terms.push(term);
    }
    const balance = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? terms[middle] : balance(low, middle - 1);
      const right = middle === high ? terms[middle + 1] : balance(middle + 1, high);
      return { kind: 'call', id: ids[middle], name, args: [left, right] };
    };
    return balance(0, ids.length - 1);
  }

  #chain(operators: Readonly<Record<string, string>>, operand: () => Expr): Expr {
    let left = operand();
    const depth = this.#depth;
    for (;;) {
      const token = this.#token;
      const name = token.kind === 'punctuation' || token.kind === 'in' ? operators[token.text] : undefined;
      if (name === undefined) break;
      this.#at++;
      this.#deeper();
      const id = this.#id(token);
      left = { kind: 'call', id, name, args: [left, operand()] };
    }
    this.#depth = depth;
    return left;
  }

  #relation(): Expr {
    return this.#chain(relations, () => this.#chain(sums, () => this.#chain(products, () => this.#unary())));
  }

  #unary(): Expr {
    const first = this.#token;
    const operator = this.#is('!') ? '!' : this.#is('-') ? '-' : undefined;
    const after = this.#tokens[this.#at + 1];
    const signed = operator === '-' && (after.kind === 'int' || after.kind === 'float');
    if (operator === undefined || signed) return this.#member();
    let count = 0;
    while (this.#take(operator)) count++;
    if (count % 2 === 0) return this.#member();
    const id = this.#id(first);
    return { kind: 'call', id, name: operator === '!' ? '!_' : '-_', args: [this.#member()] };
  }

  #member(): Expr {
    let expr = this.#primary();
    const depth = this.#depth;
    for (;;) {
      const dot = this.#take('.');
      if (dot) {
        this.#deeper();
        expr = this.#selection(expr, dot);
        continue;
      }
      const bracket = this.#take('[');
      if (!bracket) break;
      this.#deeper();
      const optional = this.#take('?') !== undefined;
      const id = this.#id(bracket);
      const index = this.#expr();
      this.#expect(']');
      expr = { kind: 'call', id, name: optional ? '_[?_]' : '_[_]', args: [expr, index] };
    }
    this.#depth = depth;
    return expr;
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#take('?') !== undefined;
    const name = this.#token;
    if (name.kind !== 'identifier' && name.kind !== 'escaped') {
      if (name.kind === 'true' || name.kind === 'false' || name.kind === 'null') {
        this.#syntaxError(`mismatched input '${name.text}' expecting IDENTIFIER`);
      } else {
        this.#syntaxError(
          `no viable alternative at input '${optional ? '.?' : '.'}${name.kind === 'end' ? '' : name.text}'`,
        );
      }
      throw stopped;
    }
    this.#at++;
    const open = optional || name.kind === 'escaped' ? undefined : this.#take('(');
    if (open) {
      const id = this.#id(open);
      return this.#callOrMacro(id, name.text, operand, this.#arguments(')'));
    }
    const text = this.#fieldName(name);
    if (!optional) return { kind: 'select', id: this.#id(dot), operand, field: text, test: false };
    const field: Expr = { kind: 'literal', id: this.#id(name), value: text };
    return { kind: 'call', id: this.#id(dot), name: '_?._', args: [operand, field] };
  }

  #fieldName({ kind, text, offset }: Token): string {
    if (kind !== 'escaped') return text;
    if (!this.#quotedFields) this.#issues.report(offset, "unsupported syntax: '`'");
    return text.slice(1, -1);
  }

  #arguments(end: string): Expr[] {
    if (this.#take(end)) return [];
    const args = [this.#expr()];
    while (this.#take(',')) args.push(this.#expr());
    this.#expect(end);
    return args;
  }

  #primary(): Expr {
    const token = this.#token;
    if (token.kind === 'punctuation') {
      switch (token.text) {
        case '(':
          return this.#nested();
        case '[':
          return this.#list();
        case '{':
          return this.#map();
        case '.':
          return this.#identifier();
        case '-':
          return this.#number();
      }
    }
    if (token.kind === 'identifier') return this.#identifier();
    if (token.kind === 'int' || token.kind === 'uint' || token.kind === 'float') return this.#number();
    if (token.kind === 'true' || token.kind === 'false' || token.kind === 'null') {
      this.#at++;
      const value = token.kind === 'null' ? null : token.kind === 'true';
      return { kind: 'literal', id: this.#id(token), value };
    }
    if (token.kind === 'string' || token.kind === 'bytes') return this.#text(token);
    return this.#noExpression(token);
  }

  #noExpression(token: Token): Expr {
    const next = this.#tokens[this.#at + 1];
    if (token.kind !== 'end' && next && startsExpression(next)) {
      this.#syntaxError(`extraneous input '${token.text}' expecting ${expressionStart}`);
      this.#at++;
      return this.#primary();
    }
    this.#syntaxError(`mismatched input '${token.text}' expecting ${expressionStart}`);
    throw stopped;
  }

  #nested(): Expr {
    this.#at++;
    const expr = this.#expr();
    this.#expect(')');
    return expr;
  }

  #identifier(): Expr {
    const start = this.#token;
    const dot = this.#take('.');
    const name = this.#next();
    if (name.kind !== 'identifier') {
      this.#at = this.#tokens.indexOf(name);
      this.#syntaxError(`mismatched input '${name.text}' expecting IDENTIFIER`);
      throw stopped;
    }
    if (this.#structFollows()) return this.#struct(name, dot !== undefined);
    const full = (dot ? '.' : '') + name.text;
    if (reserved.has(name.text)) {
      this.#issues.report(start.offset, `reserved identifier: ${name.text}`);
      if (this.#take('(')) this.#arguments(')');
      return { kind: 'unspecified', id: this.#id(start) };
    }
    const open = this.#take('(');
    if (!open) return { kind: 'ident', id: this.#id(name), name: full };
    const id = this.#id(open);
    return this.#callOrMacro(id, full, undefined, this.#arguments(')'));
  }

  /** Names parted by dots and then a brace: a message. */
  #structFollows(): boolean {
    let at = this.#at;
    while (this.#tokens[at].text === '.' && this.#tokens[at + 1]?.kind === 'identifier') at += 2;
    const token = this.#tokens[at];
    return token.kind === 'punctuation' && token.text === '{';
  }

  #struct(first: Token, leadingDot: boolean): Expr {
    let typeName = (leadingDot ? '.' : '') + first.text;
    while (this.#take('.')) typeName += `.${this.#next().text}`;
    const id = this.#id(this.#expect('{'));
    const fields: StructField[] = [];
    while (!this.#is('}')) {
      const optional = this.#take('?') !== undefined;
      const name = this.#next();
      if (name.kind !== 'identifier' && name.kind !== 'escaped') {
        this.#at--;
        this.#syntaxError(`mismatched input '${name.text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`);
        throw stopped;
      }
      const field = this.#fieldName(name);
      const fieldId = this.#id(this.#expect(':'));
      fields.push({ id: fieldId, name: field, value: this.#expr(), optional });
      if (!this.#take(',')) break;
    }
    this.#expect('}');
    return { kind: 'struct', id, typeName, fields };
  }

  #list(): Expr {
    const id = this.#id(this.#next());
    const elements: Expr[] = [];
    const optional: number[] = [];
    if (this.#take(',')) {
      this.#expect(']');
      return { kind: 'list', id, elements, optional };
    }
    while (!this.#is(']')) {
      if (this.#take('?')) optional.push(elements.length);
      elements.push(this.#expr());
      if (!this.#take(',')) break;
    }
    this.#expect(']');
    return { kind: 'list', id, elements, optional };
  }

  #map(): Expr {
    const id = this.#id(this.#next());
    const entries: MapEntry[] = [];
    if (this.#take(',')) {
      this.#expect('}');
      return { kind: 'map', id, entries };
    }
    while (!this.#is('}')) {
      const optional = this.#take('?') !== undefined;
      const key = this.#expr();
      const entryId = this.#id(this.#expect(':'));
      entries.push({ id: entryId, key, value: this.#expr(), optional });
      if (!this.#take(',')) break;
    }
    this.#expect('}');
    return { kind: 'map', id, entries };
  }

  #number(): Expr {
    const start = this.#token;
    const sign = this.#take('-') ? '-' : '';
    const token = this.#next();
    const id = this.#id(start);
    const fail = (what: string): Expr => {
      this.#issues.report(start.offset, `invalid ${what} literal`);
      return { kind: 'unspecified', id };
    };
    if (token.kind === 'float') {
      const value = Number(sign + token.text);
      return Number.isFinite(value) ? { kind: 'literal', id, value: new Double(value) } : fail('double');
    }
    if (token.kind === 'uint') {
      const value = BigInt(token.text.slice(0, -1));
      return value < 2n ** 64n ? { kind: 'literal', id, value: new Uint(value) } : fail('uint');
    }
    if (token.kind !== 'int') {
      this.#at = this.#tokens.indexOf(token);
      return this.#noExpression(token);
    }
    const magnitude = BigInt(token.text);
    const value = sign === '-' ? -magnitude : magnitude;
    if (value >= 2n ** 63n || value < -(2n ** 63n)) return fail('int');
    return { kind: 'literal', id, value: intValue(value) };
  }

  #text(token: Token): Expr {
    this.#at++;
    const id = this.#id(token);
    if (token.kind === 'string') {
      const value = unescapeString(token.text);
      if (value !== undefined) return { kind: 'literal', id, value };
      this.#issues.report(token.offset, 'invalid unicode code point');
    } else {
      const value = unescapeBytes(token.text);
      if (value !== undefined) return { kind: 'literal', id, value: bytesValue(value) };
      this.#issues.report(token.offset, 'unable to unescape string');
    }
    return { kind: 'unspecified', id };
  }

  #callOrMacro(id: NodeId, name: string, target: Expr | undefined, args: Expr[]): Expr {
    const macro =
      this.#macros.get(macroKey(name, target !== undefined, args.length)) ??
      this.#macros.get(macroKey(name, target !== undefined, undefined));
    if (macro) {
      const offset = this.offsets.get(id) ?? 0;
      const factory = new MacroFactory(
        () => this.idAt(offset),
        (node) => this.idAt(this.offsets.get(node) ?? offset),
      );
      const expanded = macro.expand(factory, target, args);
      if (expanded instanceof MacroError) {
        this.#issues.report(this.offsets.get(expanded.id) ?? offset, expanded.message);
        return { kind: 'unspecified', id };
      }
      if (expanded) return expanded;
    }
    const call: Call = target ? { kind: 'call', id, name, target, args } : { kind: 'call', id, name, args };
    return call;
  }
}

const macroKey = (name: string, receiver: boolean, args: number | undefined): string =>
  `${name}:${args ?? '*'}:${receiver}`;

const startKinds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'identifier',
  'int',
  'uint',
  'float',
  'string',
  'bytes',
  'true',
  'false',
  'null',
]);

const startsExpression = (token: Token): boolean =>
  startKinds.has(token.kind) || (token.kind === 'punctuation' && '[{(.-!'.includes(token.text));
