import { isIPv4, isIPv6 } from 'node:net';

/**
 * Reports whether Go's net/mail.ParseAddress accepts the text: an RFC 5322 address with an optional display name,
 * comments, quoted local parts and domain literals.
 */
export function isEmailAddress(text: string): boolean {
  const reader = new Reader(text);
  reader.skipSpace();
  if (reader.done) return false;
  const start = reader.at;
  if (reader.addressSpec()) return reader.end();
  reader.at = start;
  if (reader.peek() !== '<' && !reader.phrase()) return false;
  reader.skipSpace();
  if (!reader.take('<') || !reader.addressSpec() || !reader.take('>')) return false;
  return reader.end();
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.at >= this.#text.length;
  }

  peek(): string {
    return this.#text.charAt(this.at);
  }

  take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  skipSpace(): void {
    this.#match(/[ \t]*/y);
  }

  /** Reports whether only white space and comments remain. */
  end(): boolean {
    for (;;) {
      this.skipSpace();
      if (this.done) return true;
      if (!this.#comment()) return false;
    }
  }

  #comment(): boolean {
    if (!this.take('(')) return false;
    for (let depth = 1; depth > 0; ) {
      if (this.done) return false;
      const char = this.peek();
      this.at += char === '\\' ? 2 : 1;
      if (char === '(') depth++;
      else if (char === ')') depth--;
    }
    return true;
  }

  #quoted(): boolean {
    return this.#match(/"(?:[^"\\\r\n\p{Cc}]|\\[^\r\n\p{Cc}])*"/uy) !== undefined;
  }

  #atom(): string | undefined {
    return this.#match(/[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u{80}-\u{10ffff}-]+/uy);
  }

  #dotAtom(): boolean {
    const atom = this.#atom();
    return atom !== undefined && !/^\.|\.\.|\.$/.test(atom);
  }

  addressSpec(): boolean {
    this.skipSpace();
    if (this.peek() === '"' ? !this.#quoted() : !this.#dotAtom()) return false;
    if (!this.take('@')) return false;
    this.skipSpace();
    if (this.done) return false;
    return this.peek() === '[' ? this.#literal() : this.#dotAtom();
  }

  #literal(): boolean {
    const literal = this.#match(/\[[^\]\p{Cc}]*\]/uy)?.slice(1, -1);
    if (literal === undefined) return false;
    return isIPv4(literal) || (literal.startsWith('IPv6:') && isIPv6(literal.slice(5)));
  }

  /** Reads the words before an address in angle brackets. */
  phrase(): boolean {
    let words = 0;
    for (;;) {
      this.skipSpace();
      if (this.peek() === '"') {
        if (!this.#quoted()) return false;
      } else if (this.peek() === '(') {
        if (!this.#comment()) return false;
        continue;
      } else if (this.#atom() === undefined) return words > 0;
      words++;
    }
  }
}
