import { resolvePath } from '../../container-files.ts';
import type { Process } from '../process.ts';
import { Expression, ExpressionError } from './expression.ts';
import { contentOf, contentsOf, linesOf, tryFile } from './support.ts';

/* sed: addresses, and the commands s, y, p, d, q, =, a, i, c, n. */

type Address = { readonly line: number } | { readonly isLast: true } | { readonly pattern: Expression };

interface Instruction {
  readonly from?: Address;
  readonly to?: Address;
  readonly isNegated: boolean;
  readonly command: string;
  readonly text: string;
  readonly substitution?: Substitution;
  isInside: boolean;
}

interface Substitution {
  readonly pattern: Expression;
  readonly replacement: string;
  readonly isGlobal: boolean;
  readonly prints: boolean;
  readonly nth: number;
}

/** Reads a script from left to right. */
class ScriptReader {
  readonly #text: string;
  readonly #isExtended: boolean;
  #at = 0;

  constructor(text: string, isExtended: boolean) {
    this.#text = text;
    this.#isExtended = isExtended;
  }

  /** @throws ExpressionError */
  read(): Instruction[] {
    const instructions: Instruction[] = [];
    for (;;) {
      this.#skip(/^[\s;]+/);
      if (this.#at >= this.#text.length) return instructions;
      instructions.push(this.#instruction());
    }
  }

  #skip(pattern: RegExp): string {
    const [match = ''] = pattern.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += match.length;
    return match;
  }

  #instruction(): Instruction {
    const from = this.#address();
    const to = from !== undefined && this.#skip(/^\s*,\s*/) !== '' ? this.#address() : undefined;
    const isNegated = this.#skip(/^\s*!\s*/) !== '';
    this.#skip(/^\s*/);
    const command = this.#text.charAt(this.#at++);
    const base = { ...(from && { from }), ...(to && { to }), isNegated, command, isInside: false };
    if (command === 's') return { ...base, text: '', substitution: this.#substitution() };
    if (command === 'y') {
      const separator = this.#text.charAt(this.#at++);
      return { ...base, text: `${this.#until(separator)}\0${this.#until(separator)}` };
    }
    if ('aic'.includes(command)) {
      this.#skip(/^\s*\\?\n?/);
      return { ...base, text: this.#skip(/^[^\n]*/) };
    }
    if ('pdq=n'.includes(command)) return { ...base, text: this.#skip(/^\s*\d*/).trim() };
    throw new ExpressionError(`unsupported command ${command}`);
  }

  #address(): Address | undefined {
    const digits = this.#skip(/^\d{1,9}/);
    if (digits !== '') return { line: Number(digits) };
    if (this.#skip(/^\$/) !== '') return { isLast: true };
    if (this.#skip(/^\//) === '') return undefined;
    return { pattern: this.#expression(this.#until('/'), false) };
  }

  #until(separator: string): string {
    let text = '';
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at++);
      if (char === separator) return text;
      if (char === '\\' && this.#text.charAt(this.#at) === separator) text += this.#text.charAt(this.#at++);
      else if (char === '\\') text += char + this.#text.charAt(this.#at++);
      else text += char;
    }
    throw new ExpressionError('unmatched delimiter');
  }

  #substitution(): Substitution {
    const separator = this.#text.charAt(this.#at++);
    const pattern = this.#until(separator);
    const replacement = this.#until(separator);
    const flags = this.#skip(/^[gpIi0-9]*/);
    return {
      pattern: this.#expression(pattern, /[iI]/.test(flags)),
      replacement,
      isGlobal: flags.includes('g'),
      prints: flags.includes('p'),
      nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
    };
  }

  #expression(pattern: string, ignoresCase: boolean): Expression {
    return new Expression(pattern, { isExtended: this.#isExtended, ignoresCase });
  }
}

/** Returns the line after a substitution; undefined if nothing matches. */
function substituted(line: string, { pattern, replacement, isGlobal, nth }: Substitution): string | undefined {
  const matcher = pattern.matcher(line);
  let result = '';
  let end = 0;
  let hasMatched = false;
  for (let count = 1; matcher.find(); count++) {
    if (count < nth) continue;
    hasMatched = true;
    result += line.slice(end, matcher.start());
    result += replacement.replace(/\\(.)|&/gs, (whole, escaped: string | undefined) => {
      if (whole === '&') return matcher.group() ?? '';
      if (escaped !== undefined && /\d/.test(escaped))
        return Number(escaped) <= matcher.groupCount() ? (matcher.group(Number(escaped)) ?? '') : '';
      return escaped === 'n' ? '\n' : escaped === 't' ? '\t' : (escaped ?? '');
    });
    end = matcher.end();
    if (!isGlobal) break;
  }
  return hasMatched ? result + line.slice(end) : undefined;
}

class Editor {
  readonly #instructions: readonly Instruction[];
  readonly #isQuiet: boolean;

  constructor(instructions: readonly Instruction[], isQuiet: boolean) {
    this.#instructions = instructions;
    this.#isQuiet = isQuiet;
  }

  async edit(lines: readonly string[], time: Process['time']): Promise<string> {
    const output: string[] = [];
    for (const [index, given] of lines.entries()) {
      await time.use();
      const done = this.#editLine(given, { number: index + 1, isLast: index === lines.length - 1 }, output);
      if (done) break;
    }
    return output.map((line) => `${line}\n`).join('');
  }

  /** Returns whether the editor quits. */
  #editLine(given: string, place: { readonly number: number; readonly isLast: boolean }, output: string[]): boolean {
    let line = given;
    const after: string[] = [];
    for (const instruction of this.#instructions) {
      if (this.#applies(instruction, line, place) === instruction.isNegated) continue;
      switch (instruction.command) {
        case 's': {
          const { substitution } = instruction;
          const next = substitution && substituted(line, substitution);
          if (next !== undefined) line = next;
          if (next !== undefined && substitution?.prints) output.push(line);
          break;
        }
        case 'y': {
          const [from = '', to = ''] = instruction.text.split('\0');
          line = [...line].map((char) => (from.includes(char) ? to.charAt(from.indexOf(char)) : char)).join('');
          break;
        }
        case 'p':
          output.push(line);
          break;
        case '=':
          output.push(String(place.number));
          break;
        case 'a':
          after.push(instruction.text);
          break;
        case 'i':
          output.push(instruction.text);
          break;
        case 'c':
          output.push(instruction.text);
          return false;
        case 'd':
          output.push(...after);
          return false;
        case 'q':
          if (!this.#isQuiet) output.push(line);
          return true;
        default:
          break;
      }
    }
    if (!this.#isQuiet) output.push(line);
    output.push(...after);
    return false;
  }

  #applies(instruction: Instruction, line: string, place: { readonly number: number; readonly isLast: boolean }): boolean {
    const { from, to } = instruction;
    if (from === undefined) return true;
    const isAt = (address: Address): boolean => {
      if ('line' in address) return address.line === place.number;
      return 'isLast' in address ? place.isLast : address.pattern.test(line);
    };
    if (to === undefined) return isAt(from);
    if (instruction.isInside) {
      const isPast = 'line' in to && to.line <= place.number;
      if (isPast || isAt(to)) instruction.isInside = false;
      return !('line' in to && to.line < place.number);
    }
    if (!isAt(from)) return false;
    instruction.isInside = !('line' in to && to.line <= place.number);
    return true;
  }
}

export async function sed(process: Process): Promise<number> {
  const { args, files, folder, out, err } = process;
  const scripts: string[] = [];
  const paths: string[] = [];
  let isQuiet = false;
  let isExtended = false;
  let isInPlace = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-e' || arg === '--expression') scripts.push(args[++at] ?? '');
    else if (arg.startsWith('-i')) isInPlace = true;
    else if (/^-[nErs]+$/.test(arg)) {
      isQuiet ||= arg.includes('n');
      isExtended ||= /[Er]/.test(arg);
    } else paths.push(arg);
  }
  if (scripts.length === 0) scripts.push(paths.shift() ?? '');
  try {
    const edit = (content: Buffer): Promise<string> =>
      new Editor(new ScriptReader(scripts.join('\n'), isExtended).read(), isQuiet).edit(linesOf(content), process.time);
    if (!isInPlace) {
      const { content, code } = await contentsOf(process, 'sed', paths);
      await out(await edit(content));
      return code;
    }
    let code = 0;
    for (const path of paths) {
      const content = await contentOf(process, 'sed', path);
      if (content === undefined) code = 1;
      else {
        const edited = Buffer.from(await edit(content));
        code = await tryFile(`sed: ${path}`, err, code, () => files.write(resolvePath(folder, path), edited));
      }
    }
    return code;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    await err(`sed: ${error.message}\n`);
    return 1;
  }
}
