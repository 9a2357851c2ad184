import { messageOf } from '../../../machinery/errors/message-of.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import { formatPrintf, isTrue, type TemplateFunctions, textOf } from './functions.ts';
import { TemplateError } from './lex.ts';
import type { Command, Operand, Pipeline, TemplateNode } from './parse.ts';

/** The most steps of a template, and the most characters of its output. */
const maxSteps = 200_000;
const maxOutput = 1024 * 1024;

type Flow = 'break' | 'continue' | undefined;

/**
 * Renders a template for a value.
 *
 * @throws TemplateError
 */
export function renderTemplate(nodes: readonly TemplateNode[], data: unknown, functions: TemplateFunctions): string {
  const renderer = new Renderer(functions);
  renderer.run(nodes, data, new Map([['$', { value: data }]]));
  return renderer.text;
}

type Block = Extract<TemplateNode, { readonly body: readonly TemplateNode[] }>;

/** Variables by name. A block may change outer variables, and declare its own. */
type Scope = Map<string, { value: unknown }>;

class Renderer {
  readonly #functions: TemplateFunctions;
  readonly #chunks: string[] = [];
  #size = 0;
  #steps = 0;
  #line = 1;

  constructor(functions: TemplateFunctions) {
    this.#functions = functions;
  }

  get text(): string {
    return this.#chunks.join('');
  }

  run(nodes: readonly TemplateNode[], dot: unknown, scope: Scope): Flow {
    for (const node of nodes) {
      this.#step();
      const flow = this.#node(node, dot, scope);
      if (flow !== undefined) return flow;
    }
    return undefined;
  }

  #node(node: TemplateNode, dot: unknown, scope: Scope): Flow {
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return undefined;
      case 'break':
      case 'continue':
        return node.kind;
      case 'action': {
        this.#line = node.line;
        const value = this.#pipeline(node.pipeline, dot, scope);
        if (node.pipeline.variables.length === 0) this.#write(textOf(value));
        return undefined;
      }
      default:
        this.#line = node.line;
        return this.#block(node, dot, new Map(scope));
    }
  }

  #block(node: Block, dot: unknown, scope: Scope): Flow {
    if (node.kind === 'range') return this.#range(node, dot, scope);
    const value = this.#pipeline(node.pipeline, dot, scope);
    if (!isTrue(value)) return this.run(node.otherwise, dot, scope);
    return this.run(node.body, node.kind === 'with' ? value : dot, scope);
  }

  #range(node: Block, dot: unknown, scope: Scope): Flow {
    const { variables, declares, commands } = node.pipeline;
    const value = this.#pipeline({ commands, variables: [], declares }, dot, scope);
    const entries = this.#entriesOf(value);
    if (entries.length === 0) return this.run(node.otherwise, dot, scope);
    for (const [key, item] of entries) {
      this.#step();
      const inner = new Map(scope);
      const [first, second] = variables;
      if (first !== undefined && second !== undefined) this.#assign(inner, first, key, declares);
      if (first !== undefined) this.#assign(inner, second ?? first, item, declares);
      if (this.run(node.body, item, inner) === 'break') break;
    }
    return undefined;
  }

  #entriesOf(value: unknown): [unknown, unknown][] {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) return value.map((item, index) => [index, item]);
    if (isJsonObject(value))
      return Object.keys(value)
        .sort()
        .map((key) => [key, value[key]]);
    if (typeof value === 'number' && Number.isInteger(value)) {
      if (value > maxSteps) throw this.#error('range is too long');
      return Array.from({ length: Math.max(0, value) }, (_, index) => [index, index]);
    }
    throw this.#error(`range can't iterate over ${textOf(value)}`);
  }

  #pipeline({ commands, variables: [variable], declares }: Pipeline, dot: unknown, scope: Scope): unknown {
    let value: unknown;
    for (const [index, command] of commands.entries()) {
      value = this.#command(command, index === 0 ? [] : [value], { dot, scope });
    }
    if (variable !== undefined) this.#assign(scope, variable, value, declares);
    return value;
  }

  #assign(scope: Scope, name: string, value: unknown, declares: boolean): void {
    const before = scope.get(name);
    if (declares) scope.set(name, { value });
    else if (before === undefined) throw this.#error(`undefined variable ${quote(name)}`);
    else before.value = value;
  }

  #command([first, ...rest]: Command, piped: readonly unknown[], at: { dot: unknown; scope: Scope }): unknown {
    this.#step();
    if (first?.kind === 'function') return this.#call(first.name, rest, piped, at);
    if (rest.length > 0 || piped.length > 0) throw this.#error("can't give argument to non-function");
    return first && this.#value(first, at.dot, at.scope);
  }

  #call(name: string, operands: readonly Operand[], piped: readonly unknown[], { dot, scope }: { dot: unknown; scope: Scope }): unknown {
    if (name === 'and' || name === 'or') {
      let value: unknown;
      for (const operand of operands) {
        value = this.#value(operand, dot, scope);
        if (isTrue(value) === (name === 'or')) return value;
      }
      return piped.length > 0 ? piped[0] : value;
    }
    const call = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
    if (call === undefined) throw this.#error(`function ${quote(name)} not defined`);
    const args = [...operands.map((operand) => this.#value(operand, dot, scope)), ...piped];
    try {
      return call(...args);
    } catch (error) {
      throw this.#error(`error calling ${name}: ${messageOf(error)}`);
    }
  }

  #value(operand: Operand, dot: unknown, scope: Scope): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'dot':
        return dot;
      case 'variable': {
        const variable = scope.get(operand.name);
        if (variable === undefined) throw this.#error(`undefined variable ${quote(operand.name)}`);
        return variable.value;
      }
      case 'function':
        return this.#call(operand.name, [], [], { dot, scope });
      case 'pipeline':
        return this.#pipeline(operand.pipeline, dot, scope);
      case 'fields': {
        let value = this.#value(operand.of, dot, scope);
        for (const name of operand.names) value = this.#field(value, name);
        return value;
      }
    }
  }

  #field(value: unknown, name: string): unknown {
    if (value === null || value === undefined) return undefined;
    if (isJsonObject(value)) return Object.hasOwn(value, name) ? value[name] : undefined;
    throw this.#error(`can't evaluate field ${name} in ${formatPrintf('%q', [textOf(value)])}`);
  }

  #write(text: string): void {
    this.#size += text.length;
    if (this.#size > maxOutput) throw this.#error('output is too long');
    this.#chunks.push(text);
  }

  #step(): void {
    if (++this.#steps > maxSteps) throw this.#error('template takes too long');
  }

  #error(message: string): TemplateError {
    return new TemplateError(`executing: ${message}`, this.#line);
  }
}
