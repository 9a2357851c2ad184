import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Ast, Expr, MapEntry, NodeId, StructField } from './ast.ts';
import { Cursor, stopped } from './cursor.ts';
import { Issues } from './errors.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import { type ParsedLiteral, parseNumber, parseText } from './literal.ts';
import { MacroExpander } from './macro-expander.ts';
import type { Macro } from './macros.ts';
import { NodeIds } from './node-ids.ts';
import { codePointLength, Source } from './source.ts';

const maxRecursionDepth = 250;
const maxCodePoints = 100_000;

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const expressionStart = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

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

/** Parses an expression and expands its macros. Returns no ast if there are issues. (cel-go parser/parser.go) */
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
  readonly #ids: NodeIds;
  readonly #cursor: Cursor;
  readonly #issues: Issues;
  readonly #macros: MacroExpander;
  readonly #quotedFields: boolean;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: Issues, macros: readonly Macro[], quotedFields: boolean) {
    this.#quotedFields = quotedFields;
    this.#cursor = new Cursor(tokens, issues);
    this.#issues = issues;
    this.#ids = new NodeIds(issues);
    this.#macros = new MacroExpander(macros, this.#ids, issues);
  }

  parse(): Expr | undefined {
    try {
      const expr = this.#expr();
      const token = this.#cursor.token;
      if (token.kind !== 'end') {
        const lone = this.#cursor.ahead().kind === 'end';
        this.#cursor.syntaxError(`${lone ? 'extraneous' : 'mismatched'} input '${token.text}' expecting <EOF>`);
      }
      return expr;
    } catch (error) {
      if (error !== stopped) throw error;
      return undefined;
    }
  }

  get offsets(): ReadonlyMap<NodeId, number> {
    return this.#ids.offsets;
  }

  #id(token: Token): NodeId {
    return this.#ids.at(token.offset);
  }

  #descend(): void {
    if (++this.#depth <= maxRecursionDepth) return;
    this.#issues.report(undefined, `expression recursion limit exceeded: ${maxRecursionDepth}`);
    throw stopped;
  }

  #expr(): Expr {
    this.#descend();
    let expr = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
    const question = this.#cursor.take('?');
    if (question) {
      const id = this.#id(question);
      const yes = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
      this.#cursor.expect(':');
      const no = this.#expr();
      expr = { kind: 'call', id, name: '_?_:_', args: [expr, yes, no] };
    }
    this.#depth--;
    return expr;
  }

  /** Parses a chain of one operator into a balanced tree, so that long chains are not deep. */
  #logical(operator: string, name: string, operand: () => Expr): Expr {
    const first = operand();
    if (!this.#cursor.is(operator)) return first;
    const terms = [first];
    const ids: NodeId[] = [];
    for (let token = this.#cursor.take(operator); token; token = this.#cursor.take(operator)) {
      const term = operand();
      ids.push(this.#id(token));
      terms.push(term);
    }
    const balance = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? elementAt(terms, middle) : balance(low, middle - 1);
      const right = middle === high ? elementAt(terms, middle + 1) : balance(middle + 1, high);
      return { kind: 'call', id: elementAt(ids, middle), name, args: [left, right] };
    };
    return balance(0, ids.length - 1);
  }

  #chain(operators: Readonly<Record<string, string>>, operand: () => Expr): Expr {
    let left = operand();
    const depth = this.#depth;
    for (;;) {
      const token = this.#cursor.token;
      const name = token.kind === 'punctuation' || token.kind === 'in' ? operators[token.text] : undefined;
      if (name === undefined) break;
      this.#cursor.next();
      this.#descend();
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
    const first = this.#cursor.token;
    const operator = this.#cursor.is('!') ? '!' : this.#cursor.is('-') ? '-' : undefined;
    const after = this.#cursor.ahead();
    const signed = operator === '-' && (after.kind === 'int' || after.kind === 'float');
    if (operator === undefined || signed) return this.#member();
    let count = 0;
    while (this.#cursor.take(operator)) count++;
    if (count % 2 === 0) return this.#member();
    const id = this.#id(first);
    return { kind: 'call', id, name: operator === '!' ? '!_' : '-_', args: [this.#member()] };
  }

  #member(): Expr {
    let expr = this.#primary();
    const depth = this.#depth;
    for (;;) {
      const dot = this.#cursor.take('.');
      if (dot) {
        this.#descend();
        expr = this.#selection(expr, dot);
        continue;
      }
      const bracket = this.#cursor.take('[');
      if (!bracket) break;
      this.#descend();
      const optional = this.#cursor.take('?') !== undefined;
      const id = this.#id(bracket);
      const index = this.#expr();
      this.#cursor.expect(']');
      expr = { kind: 'call', id, name: optional ? '_[?_]' : '_[_]', args: [expr, index] };
    }
    this.#depth = depth;
    return expr;
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#cursor.take('?') !== undefined;
    const name = this.#cursor.token;
    if (name.kind !== 'identifier' && name.kind !== 'escaped') {
      if (name.kind === 'true' || name.kind === 'false' || name.kind === 'null') {
        this.#cursor.syntaxError(`mismatched input '${name.text}' expecting IDENTIFIER`);
      } else {
        this.#cursor.syntaxError(`no viable alternative at input '${optional ? '.?' : '.'}${name.kind === 'end' ? '' : name.text}'`);
      }
      throw stopped;
    }
    this.#cursor.next();
    const open = optional || name.kind === 'escaped' ? undefined : this.#cursor.take('(');
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
    if (this.#cursor.take(end)) return [];
    const args = [this.#expr()];
    while (this.#cursor.take(',')) args.push(this.#expr());
    this.#cursor.expect(end);
    return args;
  }

  #primary(): Expr {
    const token = this.#cursor.token;
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
      this.#cursor.next();
      const value = token.kind === 'null' ? null : token.kind === 'true';
      return { kind: 'literal', id: this.#id(token), value };
    }
    if (token.kind === 'string' || token.kind === 'bytes') return this.#literal(this.#cursor.next(), parseText(token));
    return this.#unexpectedToken(token);
  }

  #unexpectedToken(token: Token): Expr {
    const next = this.#cursor.ahead();
    if (token.kind !== 'end' && next && startsExpression(next)) {
      this.#cursor.syntaxError(`extraneous input '${token.text}' expecting ${expressionStart}`);
      this.#cursor.next();
      return this.#primary();
    }
    this.#cursor.syntaxError(`mismatched input '${token.text}' expecting ${expressionStart}`);
    throw stopped;
  }

  #nested(): Expr {
    this.#cursor.next();
    const expr = this.#expr();
    this.#cursor.expect(')');
    return expr;
  }

  #identifier(): Expr {
    const start = this.#cursor.token;
    const dot = this.#cursor.take('.');
    const name = this.#cursor.next();
    if (name.kind !== 'identifier') {
      this.#cursor.back(name);
      this.#cursor.syntaxError(`mismatched input '${name.text}' expecting IDENTIFIER`);
      throw stopped;
    }
    if (this.#structFollows()) return this.#struct(name, dot !== undefined);
    const full = (dot ? '.' : '') + name.text;
    if (reserved.has(name.text)) {
      this.#issues.report(start.offset, `reserved identifier: ${name.text}`);
      if (this.#cursor.take('(')) this.#arguments(')');
      return { kind: 'unspecified', id: this.#id(start) };
    }
    const open = this.#cursor.take('(');
    if (!open) return { kind: 'ident', id: this.#id(name), name: full };
    const id = this.#id(open);
    return this.#callOrMacro(id, full, undefined, this.#arguments(')'));
  }

  /** Reports whether a qualified name and a brace follow, which begin a message literal. */
  #structFollows(): boolean {
    let at = 0;
    while (this.#cursor.ahead(at).text === '.' && this.#cursor.ahead(at + 1).kind === 'identifier') at += 2;
    const { kind, text } = this.#cursor.ahead(at);
    return kind === 'punctuation' && text === '{';
  }

  #struct(first: Token, leadingDot: boolean): Expr {
    let typeName = (leadingDot ? '.' : '') + first.text;
    while (this.#cursor.take('.')) typeName += `.${this.#cursor.next().text}`;
    const id = this.#id(this.#cursor.expect('{'));
    const fields: StructField[] = [];
    while (!this.#cursor.is('}')) {
      const optional = this.#cursor.take('?') !== undefined;
      const name = this.#cursor.next();
      if (name.kind !== 'identifier' && name.kind !== 'escaped') {
        this.#cursor.back(name);
        this.#cursor.syntaxError(`mismatched input '${name.text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`);
        throw stopped;
      }
      const field = this.#fieldName(name);
      const fieldId = this.#id(this.#cursor.expect(':'));
      fields.push({ id: fieldId, name: field, value: this.#expr(), optional });
      if (!this.#cursor.take(',')) break;
    }
    this.#cursor.expect('}');
    return { kind: 'struct', id, typeName, fields };
  }

  #list(): Expr {
    const id = this.#id(this.#cursor.next());
    const elements: Expr[] = [];
    const optional: number[] = [];
    if (this.#cursor.take(',')) {
      this.#cursor.expect(']');
      return { kind: 'list', id, elements, optional };
    }
    while (!this.#cursor.is(']')) {
      if (this.#cursor.take('?')) optional.push(elements.length);
      elements.push(this.#expr());
      if (!this.#cursor.take(',')) break;
    }
    this.#cursor.expect(']');
    return { kind: 'list', id, elements, optional };
  }

  #map(): Expr {
    const id = this.#id(this.#cursor.next());
    const entries: MapEntry[] = [];
    if (this.#cursor.take(',')) {
      this.#cursor.expect('}');
      return { kind: 'map', id, entries };
    }
    while (!this.#cursor.is('}')) {
      const optional = this.#cursor.take('?') !== undefined;
      const key = this.#expr();
      const entryId = this.#id(this.#cursor.expect(':'));
      entries.push({ id: entryId, key, value: this.#expr(), optional });
      if (!this.#cursor.take(',')) break;
    }
    this.#cursor.expect('}');
    return { kind: 'map', id, entries };
  }

  #number(): Expr {
    const start = this.#cursor.token;
    const negative = this.#cursor.take('-') !== undefined;
    const token = this.#cursor.next();
    if (token.kind !== 'int' && token.kind !== 'uint' && token.kind !== 'float') {
      this.#cursor.back(token);
      return this.#unexpectedToken(token);
    }
    return this.#literal(start, parseNumber(token, negative));
  }

  #literal(token: Token, read: ParsedLiteral): Expr {
    const id = this.#id(token);
    if (read.error === undefined) return { kind: 'literal', id, value: read.value };
    this.#issues.report(token.offset, read.error);
    return { kind: 'unspecified', id };
  }

  #callOrMacro(id: NodeId, name: string, target: Expr | undefined, args: Expr[]): Expr {
    const expanded = this.#macros.expand(id, name, target, args);
    if (expanded) return expanded;
    return target ? { kind: 'call', id, name, target, args } : { kind: 'call', id, name, args };
  }
}

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
