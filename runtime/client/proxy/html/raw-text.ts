/** Reports whether a character ends the name in an end tag. */
export const endsName = (char: string): boolean =>
  char === '>' || char === '/' || char === ' ' || char === '\n' || char === '\r' || char === '\t' || char === '\f';

const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z');

type State = 'text' | 'dash' | 'dashes' | 'less' | 'open' | 'openDash';
/** The nesting of a script's content in `<!-- <script> -->`. */
type Depth = 'plain' | 'escaped' | 'doubleEscaped';

/**
 * Finds the end of an element whose content is text up to its own end tag, such as a script. (html.Tokenizer
 * readRawOrRCDATA, readScript)
 */
export class RawText {
  readonly #name: string;
  readonly #isScript: boolean;
  #state: State = 'text';
  #depth: Depth = 'plain';
  /** The name expected after `</`, or `<` of an inner script, and how much of it was read. */
  #expects: { readonly name: string; readonly isEnd: boolean; matched: number } | undefined;

  /** @param name of the element, in lower case */
  constructor(name: string) {
    this.#name = name;
    this.#isScript = name === 'script';
  }

  /** Reads the next character. Returns true if it follows `</` and the element's name. */
  read(char: string): boolean {
    const expected = this.#expects;
    if (expected !== undefined) {
      if (expected.matched < expected.name.length) {
        if (char.toLowerCase() === expected.name[expected.matched] && isLetter(char)) {
          expected.matched++;
          return false;
        }
      } else if (endsName(char)) return this.#matched(expected.isEnd);
      this.#expects = undefined;
    }
    this.#step(char);
    return false;
  }

  #matched(isEnd: boolean): boolean {
    this.#expects = undefined;
    if (isEnd && this.#depth !== 'doubleEscaped') return true;
    this.#depth = isEnd ? 'escaped' : 'doubleEscaped';
    return false;
  }

  #step(char: string): void {
    const state = this.#state;
    this.#state = 'text';
    if (state === 'less' && char === '/') {
      this.#expects = { name: this.#name, isEnd: true, matched: 0 };
    } else if (state === 'less' && this.#isScript && this.#depth === 'plain' && char === '!') {
      this.#state = 'open';
    } else if (state === 'less' && this.#depth === 'escaped') {
      if (isLetter(char)) this.#expectScript(char);
      else {
        this.#depth = 'plain';
        this.#step(char);
      }
    } else if (state === 'open' && char === '-') this.#state = 'openDash';
    else if (state === 'openDash' && char === '-') {
      this.#depth = 'escaped';
      this.#state = 'dashes';
    } else if (char === '<') this.#state = 'less';
    else if (this.#depth !== 'plain') this.#dash(state, char);
  }

  #dash(state: State, char: string): void {
    if (char === '-') this.#state = state === 'dash' || state === 'dashes' ? 'dashes' : 'dash';
    else if (char === '>' && state === 'dashes') this.#depth = 'plain';
  }

  /** Begins to expect an element's name at its first letter. */
  #expectScript(char: string): void {
    if (char.toLowerCase() === 's') this.#expects = { name: 'script', isEnd: false, matched: 1 };
    else this.#step(char);
  }
}
