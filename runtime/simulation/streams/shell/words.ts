import type { ArithmeticExpression, ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { ArgumentSpace } from '../../environment/argument-space.ts';
import { ArithmeticError, type ArithmeticScope, evaluate } from './arithmetic.ts';
import { Fields } from './fields.ts';
import { isGlob, matchesGlob, unescapeGlob } from './glob.ts';
import { checked, ShellSyntaxError } from './parse.ts';

/** What words refer to. */
export interface WordScope {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  readonly positional: readonly string[];
  /** Whether unset variables are errors. (set -u) */
  readonly isStrict: boolean;
  /** Runs a script, and returns its output. */
  substitute(script: ParsedScript): Promise<string>;
  /** Returns the paths that a pattern matches. */
  files(pattern: string): readonly string[];
}

/** An expansion fails, which ends a script. */
export class ExpansionError extends Error {}

/** Expands words as POSIX shells do. */
export class Words {
  readonly #scope: WordScope;
  readonly #space = new ArgumentSpace();

  constructor(scope: WordScope) {
    this.#scope = scope;
  }

  /** Returns the fields of a word: split, and replaced by the files that they match. */
  async fields(word: Word): Promise<string[]> {
    const fields = new Fields();
    await this.#addWord(word, fields, true);
    return fields.finish().flatMap(({ text, pattern }) => {
      const files = /[*?[]/.test(pattern) ? this.#scope.files(pattern) : [];
      return files.length > 0 ? files : [text];
    });
  }

  /** Returns a word as one text. */
  async text(word: Word): Promise<string> {
    return (await this.#joined(word)).text;
  }

  /** Returns a word as a pattern. */
  async pattern(word: Word): Promise<string> {
    return (await this.#joined(word)).pattern;
  }

  /** Returns the text of parts that are quoted, as those of a here-document. */
  async quoted(parts: readonly WordPart[]): Promise<string> {
    const fields = new Fields();
    for (const part of parts) await this.#addPart(part, fields, { isQuoted: true, splits: false });
    return fields
      .finish()
      .map(({ text }) => text)
      .join(' ');
  }

  async #joined(word: Word): Promise<{ text: string; pattern: string }> {
    const fields = new Fields();
    await this.#addWord(word, fields, false);
    const all = fields.finish();
    return { text: all.map(({ text }) => text).join(' '), pattern: all.map(({ pattern }) => pattern).join(' ') };
  }

  async #addWord({ parts, value, text }: Word, fields: Fields, splits: boolean): Promise<void> {
    const home = /^~(?=\/|$)/.test(text) ? this.#scope.get('HOME') : undefined;
    if (parts === undefined) {
      const isEscaped = text.includes('\\');
      if (home !== undefined) fields.add(home, true);
      fields.add(home === undefined ? value : value.slice(1), isEscaped);
      return;
    }
    for (const [index, part] of parts.entries()) {
      if (index === 0 && home !== undefined && part.type === 'Literal') {
        fields.add(home, true);
        fields.add(part.value.slice(1), false);
      } else await this.#addPart(part, fields, { isQuoted: false, splits });
    }
  }

  async #addPart(part: WordPart, fields: Fields, how: { readonly isQuoted: boolean; readonly splits: boolean }): Promise<void> {
    const { isQuoted } = how;
    const put = (text: string): void => {
      this.#space.take(text);
      if (isQuoted || !how.splits) fields.add(text, isQuoted);
      else fields.split(text, this.#scope.get('IFS') ?? ' \t\n');
    };
    switch (part.type) {
      case 'Literal':
        fields.add(part.value, isQuoted || part.text.includes('\\'));
        return;
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        fields.add(part.value, true);
        return;
      case 'DoubleQuoted':
      case 'LocaleString':
        if (!part.parts.some(isAllArguments)) fields.add('', true);
        for (const child of part.parts) await this.#addPart(child, fields, { ...how, isQuoted: true });
        return;
      case 'SimpleExpansion':
        if (isAllArguments(part)) this.#addArguments(fields, how);
        else put(this.#parameter(part.text.slice(1)));
        return;
      case 'ParameterExpansion':
        if (isAllArguments(part)) this.#addArguments(fields, how);
        else put(await this.#expansion(part));
        return;
      case 'CommandExpansion':
        put(await this.#substitution(part.script));
        return;
      case 'ArithmeticExpansion':
        put(await this.arithmetic(part.expression));
        return;
      case 'ProcessSubstitution':
        throw new ShellSyntaxError('syntax error: unexpected "("');
      default:
        // globs and braces
        fields.add(part.text, isQuoted);
    }
  }

  #addArguments(fields: Fields, { isQuoted, splits }: { readonly isQuoted: boolean; readonly splits: boolean }): void {
    for (const [index, text] of this.#scope.positional.entries()) {
      if (index > 0) fields.end();
      this.#space.take(text);
      if (isQuoted || !splits) fields.add(text, true);
      else fields.split(text, this.#scope.get('IFS') ?? ' \t\n');
    }
  }

  #parameter(name: string): string {
    const value = this.#scope.get(name);
    if (value === undefined && this.#scope.isStrict && !'@*'.includes(name)) throw new ExpansionError(`${name}: parameter not set`);
    return value ?? '';
  }

  async #substitution(script: ParsedScript | undefined): Promise<string> {
    if (script === undefined) return '';
    const output = await this.#scope.substitute(checked(script));
    return output.replace(/\n+$/, '');
  }

  async arithmetic(expression: ArithmeticExpression | undefined): Promise<string> {
    return String(await this.number(expression));
  }

  async number(expression: ArithmeticExpression | undefined): Promise<bigint> {
    const scope: ArithmeticScope = {
      get: (name) => this.#parameter(name),
      set: (name, value) => this.#scope.set(name, value),
      text: async ({ value, parts }) => (parts === undefined ? value : this.quoted(parts)),
    };
    try {
      return await evaluate(expression, scope);
    } catch (error) {
      if (error instanceof ArithmeticError) throw new ExpansionError(error.message);
      throw error;
    }
  }

  async #expansion({ parameter, prefix, operation, index }: ParameterExpansionPart): Promise<string> {
    if (index !== undefined) throw new ShellSyntaxError('syntax error: bad substitution');
    const name = prefix === '!' ? this.#parameter(parameter) : parameter;
    if (prefix === '#') return String([...this.#parameter(name)].length);
    if (operation === undefined) return this.#parameter(name);
    if (operation.type === 'Default') return this.#default(name, operation.operator, operation.operand);
    const value = this.#parameter(name);
    switch (operation.type) {
      case 'Remove':
        return removed(value, operation.operator, await this.pattern(operation.operand));
      case 'Replace':
        return replaced(value, operation.operator, await this.pattern(operation.pattern), await this.text(operation.replacement));
      case 'Slice': {
        const chars = [...value];
        const offset = Number(await this.#numberOf(operation.offset));
        const from = offset < 0 ? Math.max(0, chars.length + offset) : offset;
        if (operation.length === undefined) return chars.slice(from).join('');
        const length = Number(await this.#numberOf(operation.length));
        return chars.slice(from, length < 0 ? chars.length + length : from + length).join('');
      }
      case 'CaseModification': {
        const change = (text: string): string => (operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase());
        return operation.operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
      }
      default:
        throw new ShellSyntaxError('syntax error: bad substitution');
    }
  }

  async #numberOf(word: Word): Promise<bigint> {
    const { value, pos, end } = word;
    return this.number({ type: 'ArithmeticWord', value: value === '' ? await this.text(word) : await this.text(word), pos, end });
  }

  async #default(name: string, operator: string, operand: Word): Promise<string> {
    const value = this.#scope.get(name);
    const isMissing = value === undefined || (operator.startsWith(':') && value === '');
    switch (operator.at(-1)) {
      case '-':
        return isMissing ? this.text(operand) : value;
      case '+':
        return isMissing ? '' : this.text(operand);
      case '=': {
        if (!isMissing) return value;
        const text = await this.text(operand);
        this.#scope.set(name, text);
        return text;
      }
      default: {
        if (!isMissing) return value;
        const message = await this.text(operand);
        throw new ExpansionError(`${name}: ${message || (operator.startsWith(':') ? 'parameter not set or null' : 'parameter not set')}`);
      }
    }
  }
}

function isAllArguments(part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return part.text === '$@';
  return part.type === 'ParameterExpansion' && part.parameter === '@' && part.prefix === undefined && part.operation === undefined;
}

/** The longest text that is searched for a pattern: each position takes time in proportion to the text. */
const maxSearched = 2048;

function checkSearched(value: string): void {
  if (value.length > maxSearched) throw new ExpansionError('out of memory');
}

/** Removes the shortest or longest match from the start or the end. */
function removed(value: string, operator: string, pattern: string): string {
  const isStart = operator.startsWith('#');
  if (!isGlob(pattern)) {
    const text = unescapeGlob(pattern);
    if (isStart) return value.startsWith(text) ? value.slice(text.length) : value;
    return text !== '' && value.endsWith(text) ? value.slice(0, -text.length) : value;
  }
  checkSearched(value);
  const chars = [...value];
  for (let length = 0; length <= chars.length; length++) {
    const size = operator.length === 2 ? chars.length - length : length;
    const [first, last] = isStart ? [0, size] : [chars.length - size, chars.length];
    if (!matchesGlob(pattern, chars.slice(first, last).join(''))) continue;
    return (isStart ? chars.slice(size) : chars.slice(0, chars.length - size)).join('');
  }
  return value;
}

/** Replaces the first or all longest matches. */
function replaced(value: string, operator: string, pattern: string, by: string): string {
  if (pattern === '') return value;
  if (operator === '/#' || operator === '/%') {
    const rest = removed(value, operator === '/#' ? '##' : '%%', pattern);
    if (rest === value) return value;
    return operator === '/#' ? by + rest : rest + by;
  }
  checkSearched(value);
  const chars = [...value];
  let done = '';
  for (let at = 0; at < chars.length; ) {
    const end = endOfMatch(chars, at, pattern);
    done += end === undefined ? chars[at] : by;
    at = end ?? at + 1;
    if (end !== undefined && operator === '/') return done + chars.slice(at).join('');
  }
  return done;
}

function endOfMatch(chars: readonly string[], start: number, pattern: string): number | undefined {
  for (let end = chars.length; end > start; end--) if (matchesGlob(pattern, chars.slice(start, end).join(''))) return end;
  return undefined;
}
