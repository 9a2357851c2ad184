import { decodeHTMLAttribute } from 'entities/decode';

/** The position of an attribute in the text of its tag. */
export interface AttributeSpan {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A start tag as written. Each character is a byte. */
export interface StartTag {
  /** From `<` to `>`. */
  readonly raw: string;
  /** The position after the name. */
  readonly nameEnd: number;
  readonly attributes: readonly AttributeSpan[];
}

/** The attributes with URLs, by tag. (atomsToAttrs) */
const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};

export const tagName = ({ raw, nameEnd }: StartTag): string => lowerCase(raw.slice(1, nameEnd));

/** Returns the tag with rewritten URLs. (html.Token.String) */
export function rewriteStartTag(tag: StartTag, rewriteURL: (text: string) => string): string {
  const { raw, attributes } = tag;
  const name = tagName(tag);
  const urls = (Object.hasOwn(urlAttributes, name) && urlAttributes[name]) || [];
  let text = `<${name}`;
  for (const { keyStart, keyEnd, valueStart, valueEnd } of attributes) {
    const key = lowerCase(raw.slice(keyStart, keyEnd));
    const value = unescapeAttribute(raw.slice(valueStart, valueEnd));
    text += ` ${key}="${escapeAttribute(urls.includes(key) ? rewriteURL(value) : value)}"`;
  }
  return `${text}${isSelfClosing(tag) ? '/' : ''}>`;
}

/** A slash before `>` may belong to an unquoted value. */
function isSelfClosing({ raw, attributes }: StartTag): boolean {
  return raw.at(-2) === '/' && attributes.at(-1)?.valueEnd !== raw.length - 1;
}

/** Lowers ASCII letters only. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const reference = /&(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|[A-Za-z0-9]+;?)/g;

/**
 * Decodes the value of an attribute. A character reference without a semicolon is text before `=`. (html.unescape,
 * convertNewlines)
 */
function unescapeAttribute(value: string): string {
  const text = value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
  if (!text.includes('&')) return text;
  return text.replace(reference, (whole, at: number) => {
    const isText = whole[1] !== '#' && !whole.endsWith(';') && text[at + whole.length] === '=';
    return isText ? whole : Buffer.from(decodeHTMLAttribute(whole)).toString('latin1');
  });
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\r': '&#13;',
};

const escapeAttribute = (value: string): string => value.replace(/[&'<>"\r]/g, (char) => escapes[char] ?? char);
