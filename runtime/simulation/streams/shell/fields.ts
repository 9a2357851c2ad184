import { escapeGlob } from './glob.ts';

/** One word after expansion, before it is matched with files. */
export interface Field {
  readonly text: string;
  /** The text as a pattern, in which quoted characters are escaped. */
  readonly pattern: string;
}

/** Collects the expanded parts of a word, and splits them into fields. */
export class Fields {
  readonly #done: Field[] = [];
  #text = '';
  #pattern = '';
  #isBegun = false;

  /** Adds text that is not split. An empty quoted text makes a field, too. */
  add(text: string, isQuoted: boolean): void {
    this.#text += text;
    this.#pattern += isQuoted ? escapeGlob(text) : text;
    if (isQuoted || text !== '') this.#isBegun = true;
  }

  /** Adds the result of an unquoted expansion, split at separators. */
  split(text: string, separators: string): void {
    if (separators === '') {
      this.add(text, false);
      return;
    }
    const blanks = [...separators].filter((char) => ' \t\n'.includes(char)).join('');
    let at = 0;
    const skip = (): void => {
      while (at < text.length && blanks.includes(text.charAt(at))) at++;
    };
    while (at < text.length) {
      const start = at;
      while (at < text.length && !separators.includes(text.charAt(at))) at++;
      this.add(text.slice(start, at), false);
      if (at >= text.length) return;
      const from = at;
      skip();
      const isHard = at < text.length && separators.includes(text.charAt(at));
      if (isHard) {
        at++;
        skip();
        this.#isBegun = true;
      }
      if (from > 0 || isHard) this.end();
    }
  }

  /** Ends a field. */
  end(): void {
    if (this.#isBegun) this.#done.push({ text: this.#text, pattern: this.#pattern });
    this.#text = '';
    this.#pattern = '';
    this.#isBegun = false;
  }

  /** Returns all fields. */
  finish(): readonly Field[] {
    this.end();
    return this.#done;
  }
}
