import { actionTokens, type Piece, piecesOf, TemplateError } from './lex.ts';

export type Operand =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'dot' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }
  | { readonly kind: 'fields'; readonly of: Operand; readonly names: readonly string[] };

/** A function and its arguments, or one value. */
export type Command = readonly Operand[];

export interface Pipeline {
  readonly commands: readonly Command[];
  /** The variables that get the value: one, or in a range also the index first. */
  readonly variables: readonly string[];
  /** Whether the variables are new. */
  readonly declares: boolean;
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline; readonly line: number }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly line: number;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };

/** The deepest nesting of actions. */
const maxDepth = 100;

/**
 * Parses a template of Go's text/template without definitions.
 *
 * @throws TemplateError
 */
export function parseTemplate(text: string): TemplateNode[] {
  const reader = new NodeReader(piecesOf(text));
  const { nodes, end } = reader.read(0);
  if (end !== undefined) throw new TemplateError(`unexpected {{${end.words}}}`, end.line);
  return nodes;
}

interface End {
  readonly words: string;
  readonly line: number;
}

class NodeReader {
  readonly #pieces: readonly Piece[];
  #at = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** Reads up to an `end` or an `else`. */
  read(depth: number): { nodes: TemplateNode[]; end?: End } {
    const nodes: TemplateNode[] = [];
    for (let piece = this.#pieces[this.#at++]; piece !== undefined; piece = this.#pieces[this.#at++]) {
      if (piece.kind === 'text') {
        nodes.push({ kind: 'text', text: piece.text });
        continue;
      }
      const { text, line } = piece;
      const [, keyword = '', rest = ''] = /^([a-z]*)\b\s*([\s\S]*)$/.exec(text) ?? [];
      if (keyword === 'end' || keyword === 'else') return { nodes, end: { words: `${keyword} ${rest}`.trim(), line } };
      if (depth > maxDepth) throw new TemplateError('actions are nested too deeply', line);
      if (keyword === 'if' || keyword === 'with' || keyword === 'range') {
        nodes.push(this.#block(keyword, parsePipeline(rest, line), { line, depth }));
      } else if ((keyword === 'break' || keyword === 'continue') && rest === '') nodes.push({ kind: keyword });
      else if (keyword === 'define' || keyword === 'template' || keyword === 'block') {
        throw new TemplateError(`${keyword} is not supported`, line);
      } else nodes.push({ kind: 'action', pipeline: parsePipeline(text, line), line });
    }
    return { nodes };
  }

  #block(
    kind: 'if' | 'with' | 'range',
    pipeline: Pipeline,
    { line, depth }: { readonly line: number; readonly depth: number },
  ): TemplateNode {
    const { nodes: body, end } = this.read(depth + 1);
    if (end === undefined) throw new TemplateError(`unexpected EOF: {{${kind}}} has no {{end}}`, line);
    if (end.words === 'end') return { kind, pipeline, line, body, otherwise: [] };
    const [, next, rest = ''] = /^else(?: (if|with) ([\s\S]*))?$/.exec(end.words) ?? [];
    if (next === 'if' || next === 'with') {
      const otherwise = [this.#block(next, parsePipeline(rest, end.line), { line: end.line, depth: depth + 1 })];
      return { kind, pipeline, line, body, otherwise };
    }
    const { nodes: otherwise, end: last } = this.read(depth + 1);
    if (last?.words !== 'end') throw new TemplateError(`unexpected EOF: {{${kind}}} has no {{end}}`, line);
    return { kind, pipeline, line, body, otherwise };
  }
}

export function parsePipeline(text: string, line: number): Pipeline {
  const parser = new PipelineParser(actionTokens(text, line), line);
  const pipeline = parser.pipeline(0);
  parser.finish();
  return pipeline;
}

class PipelineParser {
  readonly #tokens: readonly string[];
  readonly #line: number;
  #at = 0;

  constructor(tokens: readonly string[], line: number) {
    this.#tokens = tokens;
    this.#line = line;
  }

  finish(): void {
    if (this.#at < this.#tokens.length) throw this.#unexpected();
  }

  pipeline(depth: number): Pipeline {
    if (depth > maxDepth) throw new TemplateError('parentheses are nested too deeply', this.#line);
    const { variables, declares } = this.#declaration();
    const commands = [this.#command(depth)];
    while (this.#take('|')) commands.push(this.#command(depth));
    return { commands, variables, declares };
  }

  #declaration(): { variables: string[]; declares: boolean } {
    for (const count of [1, 2]) {
      const operator = this.#tokens[this.#at + 2 * count - 1];
      if (operator !== ':=' && operator !== '=') continue;
      const names = this.#tokens.slice(this.#at, this.#at + 2 * count - 1);
      const variables = names.filter((_, index) => index % 2 === 0);
      if (!variables.every((name) => /^\$\w+$/.test(name)) || (count === 2 && names[1] !== ',')) continue;
      this.#at += 2 * count;
      return { variables, declares: operator === ':=' };
    }
    return { variables: [], declares: false };
  }

  #command(depth: number): Command {
    const operands: Operand[] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== '|' && this.#tokens[this.#at] !== ')') {
      if (!this.#take(' ')) operands.push(this.#operand(depth));
    }
    if (operands.length === 0) throw new TemplateError('missing value for command', this.#line);
    return operands;
  }

  #operand(depth: number): Operand {
    let operand = this.#term(depth);
    const names: string[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined && /^\.\w/.test(token); token = this.#tokens[this.#at]) {
      names.push(...token.slice(1).split('.'));
      this.#at++;
    }
    if (names.length > 0) operand = { kind: 'fields', of: operand, names };
    return operand;
  }

  #term(depth: number): Operand {
    const token = this.#tokens[this.#at] ?? '';
    if (token === '(') {
      this.#at++;
      const pipeline = this.pipeline(depth + 1);
      if (!this.#take(')')) throw new TemplateError('unclosed left paren', this.#line);
      return { kind: 'pipeline', pipeline };
    }
    // the caller reads its names
    if (/^\.\w/.test(token)) return { kind: 'dot' };
    this.#at++;
    if (token === '.') return { kind: 'dot' };
    if (token.startsWith('$')) return { kind: 'variable', name: token };
    const literal = literalOf(token);
    if (literal !== undefined) return literal;
    if (/^[A-Za-z_]\w*$/.test(token)) return { kind: 'function', name: token };
    this.#at--;
    throw this.#unexpected();
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #unexpected(): TemplateError {
    return new TemplateError(`unexpected ${JSON.stringify(this.#tokens[this.#at])} in operand`, this.#line);
  }
}

function literalOf(token: string): Operand | undefined {
  const literal = (value: unknown): Operand => ({ kind: 'literal', value });
  if (token.startsWith('`')) return literal(token.slice(1, -1));
  if (token.startsWith('"')) return literal(unquote(token));
  if (token.startsWith("'")) return literal(unquote(`"${token.slice(1, -1).replace('"', '\\"')}"`).codePointAt(0) ?? 0);
  if (/^[-+]?[\d.]/.test(token)) return literal(Number(token));
  if (token === 'true' || token === 'false') return literal(token === 'true');
  return token === 'nil' ? literal(null) : undefined;
}

/** Unquotes a string. Go has few escapes that JSON lacks. */
const unquote = (token: string): string =>
  JSON.parse(
    token.replace(/\\(x[0-9a-fA-F]{2}|[av0'])/g, (_, code: string) =>
      code.startsWith('x') ? `\\u00${code.slice(1)}` : code === "'" ? "'" : code === 'a' ? '\\u0007' : '\\u000b',
    ),
  ) as string;
