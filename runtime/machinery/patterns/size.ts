/** The time to compile a pattern, measured with re2js, in microseconds. */
const perUnit = 1.5;
const perInstruction = 4;
/** A named Unicode class has hundreds of ranges. */
const perNamedClass = 200;
/**
 * With case ignored, the compiler looks up each character of a range: the cost for a range in ASCII, and for any other
 * range.
 */
const perFoldedRange = 50;
const perWideFoldedRange = 6_000;

/** Longer patterns are rejected unread. */
const longest = 512 * 1024;

/**
 * A group or the whole pattern: the number of its instructions, and of the instructions that a following repetition
 * would repeat.
 */
interface Level {
  instructions: number;
  last: number;
}

const flagsWithoutCase = /\(\?[imsU]*i/;
const namedClass = /^\\[pP](?:\{[^}]*\}|[^{])/u;
const escaped = /^\\(?:x\{[^}]*\}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|[\s\S]?)/;
const groupStart = /^\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?/;
const repetition = /^\{(\d+)(,?)(\d*)\}/;
const posixClass = /^\[:\^?[a-z]*:\]/;

/**
 * Estimates the time to compile a pattern, in microseconds, in one pass over its text. A counted repetition costs as
 * much as its copies. Returns Infinity for a pattern that is far too long.
 */
export function compileTime(source: string): number {
  if (source.length > longest) return Number.POSITIVE_INFINITY;
  const reader = new Reader(source);
  reader.read();
  return source.length * perUnit + reader.instructions * perInstruction + reader.tables;
}

class Reader {
  tables = 0;
  readonly #source: string;
  readonly #foldsCase: boolean;
  readonly #outer: Level[] = [];
  #level: Level = { instructions: 0, last: 0 };
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#foldsCase = flagsWithoutCase.test(source);
  }

  get instructions(): number {
    return this.#level.instructions;
  }

  read(): void {
    while (this.#at < this.#source.length) this.#step();
    while (this.#outer.length > 0) this.#close();
  }

  /** Skips the text that the expression matches at the current position. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    // everything searched for is short, except quoted text
    const rest = this.#source.slice(this.#at, this.#at + 64);
    const found = expression.exec(rest) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #atom(instructions = 1): void {
    this.#level.last = instructions;
    this.#level.instructions += instructions;
  }

  #step(): void {
    switch (this.#source[this.#at]) {
      case '\\':
        this.#escape();
        return;
      case '[':
        this.#class();
        return;
      case '(':
        this.#take(groupStart);
        this.#outer.push(this.#level);
        this.#level = { instructions: 2, last: 0 };
        return;
      case ')':
        this.#at++;
        if (this.#outer.length > 0) this.#close();
        return;
      case '|':
      case '*':
      case '+':
      case '?':
        this.#at++;
        this.#level.instructions += 2;
        this.#level.last += 2;
        return;
      case '{':
        if (!this.#repeat()) this.#literal();
        return;
      default:
        this.#literal();
    }
  }

  #literal(): void {
    this.#at++;
    this.#atom();
  }

  #close(): void {
    const inner = this.#level;
    this.#level = this.#outer.pop() as Level;
    this.#atom(inner.instructions);
  }

  #repeat(): boolean {
    const found = this.#take(repetition);
    if (!found) return false;
    const times = Math.max(Number(found[1]) + 1, Number(found[3]));
    this.#level.instructions += this.#level.last * (times - 1) + times;
    this.#level.last = this.#level.last * times + times;
    return true;
  }

  #escape(): void {
    if (this.#source.startsWith('\\Q', this.#at)) {
      const end = this.#source.indexOf('\\E', this.#at + 2);
      const stop = end < 0 ? this.#source.length : end;
      this.#atom(stop - this.#at);
      this.#at = end < 0 ? stop : stop + 2;
      return;
    }
    if (this.#take(namedClass)) this.tables += perNamedClass;
    else this.#take(escaped);
    this.#atom();
  }

  #class(): void {
    this.#at += this.#source[this.#at + 1] === '^' ? 2 : 1;
    // a leading bracket is literal
    if (this.#source[this.#at] === ']') this.#at++;
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']') this.#member();
    this.#at++;
    this.#atom();
  }

  #member(): void {
    const char = this.#source[this.#at];
    if (char === '\\') {
      if (this.#take(namedClass)) this.tables += perNamedClass;
      else this.#take(escaped);
    } else if (char === '[' && this.#take(posixClass)) return;
    else {
      this.#at++;
      if (char !== '-' || !this.#foldsCase) return;
      const to = this.#source[this.#at] ?? '';
      this.tables += to === '\\' || to > '\x7f' ? perWideFoldedRange : perFoldedRange;
    }
  }
}
