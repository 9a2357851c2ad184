import { elementAt } from '../collections/element-at.ts';
import { spend } from '../event-loop/budget.ts';

/** The part of re2js' compiled pattern that the automaton uses. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** True if a match can only begin at the beginning of the text. */
  readonly anchored: boolean;
  /**
   * The first characters of the ranges within which no instruction distinguishes characters, ascending, without the
   * first range.
   */
  readonly bounds: Int32Array;
}

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(rune: number): boolean;
}

const op = {
  alternative: 1,
  alternativeOfMatch: 2,
  capture: 3,
  empty: 4,
  match: 6,
  nop: 7,
  firstRune: 8,
  lastRune: 11,
};
/** Requirements of an instruction on the position between two characters. */
const place = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 };
/** The properties of the previous character that a state remembers. */
const after = { begin: 1, newline: 2, word: 4 };

const unknown = 0;
const matched = -1;
const dead = -2;
const endOfText = -1;
/** Microseconds for each character, and for each instruction that is visited to compute a new transition. */
const perCharacter = 0.015;
const perVisit = 0.08;
/**
 * The maximum numbers of entries in all tables: while a text is read, and after it. Beyond that, all tables are
 * dropped.
 */
const maxEntriesInUse = 1_048_576;
const maxEntriesAtRest = 32_768;

interface State {
  readonly counters: Int32Array;
  readonly context: number;
}

/**
 * Decides in linear time whether a program matches anywhere in a text. States are sets of positions in the program and
 * are created when a text first reaches them, so most steps are one look-up. Memory is bounded. A text that keeps
 * reaching new states costs the length of the program for each character, and spends that from the event loop's budget.
 */
export class Automaton {
  readonly #program: Program;
  /** The classes of characters in pages of 256. A page is made when one of its characters first occurs. */
  readonly #pages: (Int32Array | undefined)[] = [];
  readonly #stride: number;
  /** The contexts that at least one instruction depends on. */
  readonly #contexts: number;
  readonly #marks: Uint32Array;
  /** Buffers for one step: positions to visit, and positions of the next state. */
  readonly #stack: Int32Array;
  readonly #next: Int32Array;
  #mark = 0;
  #states: State[] = [];
  #byHash = new Map<number, number[]>();
  #table: Int32Array;
  #held = 0;
  #work = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#stride = program.bounds.length + 2;
    this.#table = new Int32Array(this.#stride * 4);
    const { length } = program.instructions;
    this.#marks = new Uint32Array(length);
    this.#stack = new Int32Array(3 * length + 1);
    this.#next = new Int32Array(length + 1);
    let asked = 0;
    for (const instruction of program.instructions) if (instruction.op === op.empty) asked |= instruction.arg;
    this.#contexts =
      after.begin |
      ((asked & place.beginLine) !== 0 ? after.newline : 0) |
      ((asked & (place.wordBoundary | place.noWordBoundary)) !== 0 ? after.word : 0);
    this.#forget();
  }

  /** @throws EventLoopBudgetError */
  test(text: string): boolean {
    spend(text.length * perCharacter);
    const isMatch = this.#run(text);
    if (this.#held > maxEntriesAtRest) this.#forget();
    return isMatch;
  }

  #run(text: string): boolean {
    const stride = this.#stride;
    const pages = this.#pages;
    let table = this.#table;
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      let rune = text.charCodeAt(at);
      if (rune >= 0xd800 && rune <= 0xdbff) {
        rune = text.codePointAt(at) as number;
        if (rune > 0xffff) at++;
      }
      const page = pages[rune >> 8];
      const kind = page === undefined ? this.#classOf(rune) : (page[rune & 255] ?? 0);
      let next = table[state * stride + kind] ?? unknown;
      if (next === unknown) {
        next = this.#step(state, rune, kind);
        table = this.#table;
      }
      if (next < 0) return next === matched;
      state = next - 1;
    }
    let last = table[state * stride + stride - 1] ?? unknown;
    if (last === unknown) last = this.#step(state, endOfText, stride - 1);
    return last === matched;
  }

  #classOf(rune: number): number {
    if (rune > 0xffff) return this.#searchClass(rune);
    const page = new Int32Array(256);
    for (let at = 0; at < 256; at++) page[at] = this.#searchClass((rune & 0xff00) + at);
    this.#pages[rune >> 8] = page;
    this.#held += page.length;
    return page[rune & 255] ?? 0;
  }

  #searchClass(rune: number): number {
    const { bounds } = this.#program;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) <= rune) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #forget(): void {
    this.#states = [];
    this.#byHash = new Map();
    this.#pages.length = Math.min(this.#pages.length, 1);
    this.#held = 0;
    this.#table = new Int32Array(this.#stride * 4);
    this.#stateOf(Int32Array.of(this.#program.start), after.begin);
  }

  /** Computes a transition and stores it in the table. */
  #step(from: number, rune: number, kind: number): number {
    const to = this.#target(elementAt(this.#states, from), rune);
    if (typeof to === 'number') return this.#note(from, kind, to);
    if (this.#held < maxEntriesInUse) {
      const next = this.#stateOf(to.counters, to.context);
      return this.#note(from, kind, next + 1);
    }
    this.#forget();
    return this.#stateOf(to.counters, to.context) + 1;
  }

  #note(from: number, kind: number, to: number): number {
    this.#table[from * this.#stride + kind] = to;
    return to;
  }

  #target({ counters, context }: State, rune: number): State | typeof matched | typeof dead {
    const { instructions, start, anchored } = this.#program;
    const flags = placeBetween(context, rune);
    const marks = this.#marks;
    const stack = this.#stack;
    const next = this.#next;
    this.#mark += 2;
    const reached = this.#mark;
    const entered = reached + 1;
    let visits = 0;
    let count = 0;
    let height = counters.length;
    stack.set(counters);
    while (height > 0) {
      const counter = stack[--height] ?? 0;
      const instruction = instructions[counter];
      if (instruction === undefined || (marks[counter] ?? 0) >= reached) continue;
      marks[counter] = reached;
      visits++;
      switch (instruction.op) {
        case op.match:
          this.#spend(visits);
          return matched;
        case op.alternative:
        case op.alternativeOfMatch:
          stack[height++] = instruction.out;
          stack[height++] = instruction.arg;
          break;
        case op.capture:
        case op.nop:
          stack[height++] = instruction.out;
          break;
        case op.empty:
          if ((instruction.arg & ~flags) === 0) stack[height++] = instruction.out;
          break;
        default:
          if (rune === endOfText || instruction.op < op.firstRune || instruction.op > op.lastRune) break;
          if (instruction.matchRune(rune)) next[count++] = instruction.out;
      }
    }
    this.#spend(visits);
    if (rune === endOfText) return dead;
    if (!anchored) next[count++] = start;
    if (count === 0) return dead;
    return { counters: this.#distinct(count, entered), context: contextAfter(rune) & this.#contexts };
  }

  /** Returns the positions of the next state without duplicates. */
  #distinct(count: number, mark: number): Int32Array {
    const marks = this.#marks;
    const next = this.#next;
    let kept = 0;
    for (const counter of next.subarray(0, count)) {
      if (marks[counter] === mark) continue;
      marks[counter] = mark;
      next[kept++] = counter;
    }
    return next.slice(0, kept);
  }

  #spend(visits: number): void {
    this.#work += visits + 8;
    if (this.#work < 1_000) return;
    const work = this.#work;
    this.#work = 0;
    spend(work * perVisit);
  }

  #stateOf(counters: Int32Array, context: number): number {
    let hash = context;
    for (const counter of counters) hash = (Math.imul(hash, 31) + counter) | 0;
    const alike = this.#byHash.get(hash);
    for (const index of alike ?? []) {
      const known = this.#states[index];
      if (known?.context === context && equal(known.counters, counters)) return index;
    }
    const index = this.#states.length;
    this.#states.push({ counters, context });
    this.#held += counters.length + this.#stride + 16;
    if (alike === undefined) this.#byHash.set(hash, [index]);
    else alike.push(index);
    if (this.#table.length < (index + 1) * this.#stride) {
      const larger = new Int32Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
    }
    return index;
  }
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

const newline = 10;

function isWord(rune: number): boolean {
  return (rune >= 0x61 && rune <= 0x7a) || (rune >= 0x41 && rune <= 0x5a) || (rune >= 0x30 && rune <= 0x39) || rune === 0x5f;
}

const contextAfter = (rune: number): number => (rune === newline ? after.newline : 0) | (isWord(rune) ? after.word : 0);

function placeBetween(context: number, next: number): number {
  let flags = 0;
  if ((context & after.begin) !== 0) flags |= place.beginText | place.beginLine;
  if ((context & after.newline) !== 0) flags |= place.beginLine;
  if (next === newline) flags |= place.endLine;
  if (next === endOfText) flags |= place.endText | place.endLine;
  const differs = ((context & after.word) !== 0) !== isWord(next);
  return flags | (differs ? place.wordBoundary : place.noWordBoundary);
}
