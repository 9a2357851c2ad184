import { RE2JS } from 're2js';
import { BoundedMap } from '../collections/bounded-map.ts';
import { messageOf } from '../errors/message-of.ts';
import { spend } from '../event-loop/budget.ts';

import { Automaton, type Program } from './automaton.ts';
import { compileTime } from './size.ts';

/**
 * The maximum time to compile a pattern, in microseconds. RE2 has a limit of its own, but a program of that size takes
 * gigabytes here.
 */
const maxCompileTime = 1_000_000;
const tooLarge = 'error parsing regexp: expression too large';
/** Microseconds that `find` takes for each character, once and again for each instruction. */
const findCharacter = 0.3;
const findInstruction = 0.02;

interface Compiled {
  readonly expression: RE2JS;
  readonly automaton: Automaton;
  readonly size: number;
}

/**
 * A regular expression with RE2's syntax and semantics. It searches anywhere in a text, in time linear in the text,
 * while JavaScript's own expressions can take exponential time on a client's pattern. It is compiled on first use.
 * Expensive steps check the event loop's budget first: every method may throw EventLoopBudgetError, and no other error.
 */
export class Pattern {
  readonly #source: string;
  #compiled: Compiled | string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** RE2's error. An invalid pattern matches nothing. */
  get error(): string | undefined {
    const compiled = this.#ready();
    return typeof compiled === 'string' ? compiled : undefined;
  }

  test(text: string): boolean {
    const compiled = this.#ready();
    return typeof compiled !== 'string' && compiled.automaton.test(text);
  }

  /** Returns the first match, or "" without a match. */
  find(text: string): string {
    return this.findAll(text, 1)[0] ?? '';
  }

  /** Returns the matches from left to right: at most `limit`, or all if `limit` is negative. */
  findAll(text: string, limit: number): string[] {
    const compiled = this.#ready();
    const found: string[] = [];
    if (limit === 0 || typeof compiled === 'string' || !compiled.automaton.test(text)) return found;
    spend(text.length * (findCharacter + compiled.size * findInstruction));
    const matcher = compiled.expression.matcher(text);
    while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
    return found;
  }

  #ready(): Compiled | string {
    this.#compiled ??= compile(this.#source);
    return this.#compiled;
  }
}

function compile(source: string): Compiled | string {
  const time = compileTime(source);
  if (time > maxCompileTime) return tooLarge;
  spend(time);
  try {
    const expression = RE2JS.compile(source);
    const program = programOf(expression);
    return { expression, automaton: new Automaton(program), size: program.instructions.length };
  } catch (error) {
    return messageOf(error);
  }
}

const beginText = 4;

/** Returns the compiled program, and the character classes of re2js' own automaton. */
function programOf(expression: RE2JS): Program {
  // the declarations of re2js lack these members
  const { prog, cond, dfa } = expression.re2() as unknown as {
    prog: { inst: Program['instructions']; start: number };
    cond: number;
    dfa: { classBounds: Int32Array };
  };
  const anchored = cond !== -1 && (cond & beginText) !== 0;
  return { instructions: prog.inst, start: prog.start, anchored, bounds: dfa.classBounds };
}

const cached = new BoundedMap<string, Pattern>(1000);
const maxCachedLength = 256;
const maxCachedCompileTime = 5_000;

/** Returns a pattern. Small patterns are cached, because schemas repeat them. */
export function patternOf(source: string): Pattern {
  if (source.length > maxCachedLength) return new Pattern(source);
  const known = cached.get(source);
  if (known !== undefined) return known;
  const made = new Pattern(source);
  if (compileTime(source) > maxCachedCompileTime) return made;
  cached.set(source, made);
  return made;
}
