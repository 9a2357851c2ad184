/** A number of at least 0 and less than 1. */
export type Chance = () => number;

/** The maximum repetitions for an unbounded part of a pattern. */
const someTimes = 4;
const printable = characters(' ', '~');
const classes: Readonly<Record<string, string>> = {
  d: characters('0', '9'),
  w: `${characters('a', 'z')}${characters('A', 'Z')}${characters('0', '9')}_`,
  s: ' ',
};
/** The characters of escaped letters. */
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function characters(from: string, to: string): string {
  const first = from.charCodeAt(0);
  return String.fromCharCode(...Array.from({ length: to.charCodeAt(0) - first + 1 }, (_, at) => first + at));
}

function pick<T>(values: ArrayLike<T>, chance: Chance): T {
  const value = values[Math.floor(chance() * values.length)];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
}

/**
 * Returns a text that a regular expression matches. Undefined for a pattern with lookarounds, references or Unicode
 * classes, and sometimes for a pattern without the usual anchors.
 */
export function textOfPattern(pattern: string, chance: Chance): string | undefined {
  try {
    const text = new PatternReader(pattern, chance).read();
    return new RegExp(pattern, 'u').test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a pattern once, and writes matching texts. */
class PatternReader {
  readonly #pattern: string;
  readonly #chance: Chance;
  #at = 0;

  constructor(pattern: string, chance: Chance) {
    this.#pattern = pattern;
    this.#chance = chance;
  }

  /** @throws Error for unsupported syntax */
  read(): string {
    const text = this.#alternatives()();
    if (this.#at < this.#pattern.length) throw new Error('the pattern goes on');
    return text;
  }

  get #next(): string | undefined {
    return this.#pattern[this.#at];
  }

  /** Returns functions, because each repetition has another text. */
  #alternatives(): () => string {
    const all = [this.#sequence()];
    while (this.#next === '|') {
      this.#at++;
      all.push(this.#sequence());
    }
    return () => pick(all, this.#chance)();
  }

  #sequence(): () => string {
    const parts: (() => string)[] = [];
    while (this.#next !== undefined && this.#next !== '|' && this.#next !== ')') parts.push(this.#repeated());
    return () => parts.map((part) => part()).join('');
  }

  #repeated(): () => string {
    const part = this.#part();
    const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.#pattern.slice(this.#at));
    if (quantifier === null) return part;
    this.#at += quantifier[0].length;
    const [least, most] = bounds(quantifier);
    return () => {
      const times = least + Math.floor(this.#chance() * (most - least + 1));
      return Array.from({ length: times }, part).join('');
    };
  }

  #part(): () => string {
    const character = this.#pattern.charAt(this.#at++);
    switch (character) {
      case '^':
      case '$':
        return () => '';
      case '.':
        return () => pick(printable, this.#chance);
      case '(':
        return this.#group();
      case '[': {
        const all = this.#class();
        return () => pick(all, this.#chance);
      }
      case '\\': {
        const all = this.#escaped();
        return () => pick(all, this.#chance);
      }
      default:
        return () => character;
    }
  }

  #group(): () => string {
    const kind = /^\?(:|<[A-Za-z]\w*>)/.exec(this.#pattern.slice(this.#at));
    if (kind !== null) this.#at += kind[0].length;
    else if (this.#next === '?') throw new Error('a lookaround');
    const inside = this.#alternatives();
    if (this.#pattern[this.#at++] !== ')') throw new Error('a group is not closed');
    return inside;
  }

  #class(): string {
    const isNegated = this.#next === '^';
    if (isNegated) this.#at++;
    let all = '';
    while (this.#next !== ']') {
      if (this.#next === undefined) throw new Error('a class is not closed');
      const from = this.#classMember();
      if (this.#next !== '-' || this.#pattern[this.#at + 1] === ']' || from.length > 1) {
        all += from;
        continue;
      }
      this.#at++;
      all += characters(from, this.#classMember());
    }
    this.#at++;
    return isNegated ? [...printable].filter((each) => !all.includes(each)).join('') : all;
  }

  #classMember(): string {
    const character = this.#pattern.charAt(this.#at++);
    return character === '\\' ? this.#escaped() : character;
  }

  #escaped(): string {
    const letter = this.#pattern[this.#at++];
    if (letter === undefined || /[1-9bBpPkux]/.test(letter)) throw new Error(`\\${letter}`);
    const negated = classes[letter.toLowerCase()];
    if (negated !== undefined && letter !== letter.toLowerCase()) return [...printable].filter((each) => !negated.includes(each)).join('');
    return classes[letter] ?? controls[letter] ?? letter;
  }
}

function bounds([quantifier, least, isRange, most]: RegExpExecArray): [least: number, most: number] {
  if (least === undefined) return [quantifier[0] === '+' ? 1 : 0, quantifier[0] === '?' ? 1 : someTimes];
  if (isRange === undefined) return [Number(least), Number(least)];
  return [Number(least), most === '' ? Number(least) + someTimes : Number(most)];
}
