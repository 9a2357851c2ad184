import { endsName, RawText } from './raw-text.ts';
import { type AttributeSpan, rewriteStartTag, type StartTag, tagName } from './start-tag.ts';

/**
 * The longest start tag that is rewritten, in bytes. Longer ones, for example with an embedded image, pass unchanged.
 */
const maxTagLength = 16 * 1024;
/** The most attributes of a start tag that is rewritten. */
const maxAttributes = 500;

/** Elements whose content is text up to their own end tag. */
const rawTextElements: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t' || char === '\f';

/** Reads a character, and returns the state that reads the next one. */
type State = (char: string) => State;

/**
 * Rewrites the URLs in the start tags of a streamed page. All other text passes unchanged. A start tag that is cut off
 * at the end is dropped. (proxy.rewriteHTML, html.Tokenizer)
 */
export class HtmlRewriter {
  readonly #rewriteURL: (text: string) => string;
  #state: State;
  #output = '';
  /** The parts of a tag from earlier chunks, and their total length. */
  #tagParts: string[] = [];
  #tagLength = 0;
  /** The chunk, the current index in it, and the index of the first character that is not in the output. */
  #chunk = '';
  #at = 0;
  #from = 0;
  #isInTag = false;
  /** The tag being read. Positions count from its `<`. */
  #isStartTag = false;
  #nameEnd = 0;
  #attributes: AttributeSpan[] = [];
  #keyStart = 0;
  #keyEnd = 0;
  #valueStart = 0;
  #quote = '';
  #longTagName = '';
  #rawText: RawText | undefined;
  #dashes = 0;
  #isCommentStart = false;

  /** @param rewriteURL returns the replacement of a URL; each character is a byte */
  constructor(rewriteURL: (text: string) => string) {
    this.#rewriteURL = rewriteURL;
    this.#state = this.#text;
  }

  /** Returns the text that can be sent. Each character is a byte. */
  write(chunk: string): string {
    this.#chunk = chunk;
    this.#from = 0;
    this.#output = '';
    for (this.#at = 0; this.#at < chunk.length; this.#at++) {
      if (this.#state === this.#text) {
        this.#at = chunk.indexOf('<', this.#at);
        if (this.#at < 0) break;
      }
      this.#state = this.#state(chunk.charAt(this.#at));
    }
    const rest = chunk.slice(this.#from);
    if (!this.#isInTag) return this.#output + rest;
    this.#tagLength += rest.length;
    this.#tagParts.push(rest);
    if (this.#tagLength > maxTagLength) this.#passOn();
    return this.#output;
  }

  /** Returns the remaining text: a `<` at the end. */
  end(): string {
    const rest = this.#isInTag && this.#state === this.#less ? this.#tagParts.join('') : '';
    this.#isInTag = false;
    return rest;
  }

  readonly #text: State = (char) => {
    if (char !== '<') return this.#text;
    this.#beginHolding();
    return this.#less;
  };

  readonly #less: State = (char) => {
    if ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')) return this.#beginTag(true);
    if (char === '<') {
      this.#release();
      return this.#text(char);
    }
    this.#release();
    if (char === '/') return this.#endTagOpen;
    if (char === '!') return this.#markup;
    return char === '?' ? this.#bogusComment : this.#text;
  };

  readonly #endTagOpen: State = (char) => {
    if (char === '>') return this.#text;
    return /[A-Za-z]/.test(char) ? this.#beginTag(false) : this.#bogusComment(char);
  };

  readonly #bogusComment: State = (char) => (char === '>' ? this.#text : this.#bogusComment);

  readonly #markup: State = (char) => (char === '-' ? this.#markupDash : this.#bogusComment(char));

  readonly #markupDash: State = (char) => {
    if (char !== '-') return this.#bogusComment(char);
    this.#dashes = 0;
    this.#isCommentStart = true;
    return this.#comment;
  };

  readonly #comment: State = (char) => {
    if (char === '-') {
      this.#dashes++;
      return this.#comment;
    }
    if (char === '>' && (this.#dashes >= 2 || this.#isCommentStart)) return this.#text;
    const mayEnd = char === '!' && this.#dashes >= 2;
    if (mayEnd) return this.#commentBang;
    this.#dashes = 0;
    this.#isCommentStart = false;
    return this.#comment;
  };

  readonly #commentBang: State = (char) => {
    if (char === '>') return this.#text;
    this.#dashes = char === '-' ? 1 : 0;
    this.#isCommentStart = false;
    return this.#comment;
  };

  readonly #raw: State = (char) => {
    if (this.#rawText?.read(char) !== true) return this.#raw;
    return this.#beginTag(false)(char);
  };

  readonly #plaintext: State = () => this.#plaintext;

  readonly #name: State = (char) => {
    if (!endsName(char)) return this.#name;
    this.#nameEnd = this.#position();
    return this.#beforeKey(char);
  };

  readonly #beforeKey: State = (char) => {
    if (isSpace(char)) return this.#beforeKey;
    if (char === '>') return this.#endTag();
    this.#keyStart = this.#position();
    return char === '=' ? this.#key : this.#key(char);
  };

  readonly #key: State = (char) => {
    if (char !== '=' && !endsName(char)) return this.#key;
    this.#keyEnd = this.#position();
    return this.#afterKey(char);
  };

  readonly #afterKey: State = (char) => {
    if (isSpace(char)) return this.#afterKey;
    if (char === '=') return this.#beforeValue;
    this.#addAttribute(this.#position(), this.#position());
    return char === '/' ? this.#beforeKey : this.#beforeKey(char);
  };

  readonly #beforeValue: State = (char) => {
    if (isSpace(char)) return this.#beforeValue;
    if (char === '>') {
      this.#addAttribute(this.#position(), this.#position());
      return this.#beforeKey(char);
    }
    const isQuoted = char === '"' || char === "'";
    this.#valueStart = this.#position() + (isQuoted ? 1 : 0);
    this.#quote = char;
    return isQuoted ? this.#quotedValue : this.#plainValue;
  };

  readonly #quotedValue: State = (char) => {
    if (char !== this.#quote) return this.#quotedValue;
    this.#addAttribute(this.#valueStart, this.#position());
    return this.#beforeKey;
  };

  readonly #plainValue: State = (char) => {
    if (char !== '>' && !isSpace(char)) return this.#plainValue;
    this.#addAttribute(this.#valueStart, this.#position());
    return this.#beforeKey(char);
  };

  #beginTag(isStartTag: boolean): State {
    this.#isStartTag = isStartTag;
    this.#nameEnd = 0;
    this.#attributes = [];
    return this.#name;
  }

  #addAttribute(valueStart: number, valueEnd: number): void {
    if (!this.#isStartTag || this.#keyStart === this.#keyEnd) return;
    this.#attributes.push({ keyStart: this.#keyStart, keyEnd: this.#keyEnd, valueStart, valueEnd });
  }

  #endTag(): State {
    if (!this.#isStartTag) return this.#content();
    const raw = this.#tagParts.join('') + this.#chunk.slice(this.#from, this.#at + 1);
    const tag: StartTag = { raw, nameEnd: this.#nameEnd, attributes: this.#attributes };
    this.#output += this.#attributes.length > maxAttributes ? raw : rewriteStartTag(tag, this.#rewriteURL);
    this.#from = this.#at + 1;
    this.#endHolding();
    return this.#content(tagName(tag));
  }

  /** Returns the state that reads the content of an element. Default: the element of the too long tag. */
  #content(name = this.#longTagName): State {
    this.#longTagName = '';
    if (!rawTextElements.has(name)) return this.#text;
    this.#rawText = new RawText(name);
    return name === 'plaintext' ? this.#plaintext : this.#raw;
  }

  /** Passes on a tag that is too long to hold. */
  #passOn(): void {
    const raw = this.#tagParts.join('');
    this.#longTagName = this.#nameEnd === 0 ? '' : tagName({ raw, nameEnd: this.#nameEnd, attributes: [] });
    this.#isStartTag = false;
    this.#attributes = [];
    this.#output += raw;
    this.#endHolding();
  }

  /** Returns the position in the tag, counted from its `<`. */
  #position(): number {
    return this.#tagLength + this.#at - this.#from;
  }

  /** Holds text back from here, because a tag may begin. */
  #beginHolding(): void {
    this.#output += this.#chunk.slice(this.#from, this.#at);
    this.#from = this.#at;
    this.#isInTag = true;
  }

  /** Sends the held text, which is not a tag. */
  #release(): void {
    this.#output += this.#tagParts.join('');
    this.#endHolding();
  }

  #endHolding(): void {
    this.#isInTag = false;
    this.#tagParts = [];
    this.#tagLength = 0;
  }
}
