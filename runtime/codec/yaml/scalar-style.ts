import { looksLikeOther } from './resolve.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const indicatorFirst = new Set('#,[]{}&*!|>\'"%@`');
/** Spaces and tabs. */
const blank = /[ \t]/;
/** go-yaml's set, which contains neither tabs nor characters beyond the basic plane. */
const unprintable = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const lineBreak = /[\r\n\u0085\u2028\u2029]/;

/**
 * Returns the style of text in block context: plain if possible, quoted if plain would mean something else, a literal
 * block if it has line breaks. (go-yaml v2 encode.go, emitterc.go)
 *
 * @param isKey keys are never blocks
 */
export function styleOf(text: string, isKey: boolean): ScalarStyle {
  const special = unprintable.test(text) || / [\r\n\u0085\u2028\u2029]/.test(text);
  if (text.includes('\n')) {
    const block = !isKey && !special && !text.endsWith(' ');
    return block ? 'literal' : 'double';
  }
  if (looksLikeOther(text)) return 'double';
  if (special || lineBreak.test(text)) return 'double';
  return isPlain(text) ? 'plain' : 'single';
}

function isPlain(text: string): boolean {
  if (text.startsWith(' ') || text.endsWith(' ')) return false;
  if (text.startsWith('---') || text.startsWith('...') || indicatorFirst.has(text.charAt(0))) return false;
  if (/^[?:-]/.test(text) && (text.length === 1 || blank.test(text.charAt(1)))) return false;
  // A colon at the end or before a blank ends a key; a hash after a blank begins a comment.
  return !/:(?:[ \t]|$)/.test(text) && !/[ \t]#/.test(text);
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

const escaped = /["\\\n\u2028\u2029]|[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;

/** Escapes text for double quotes. */
export function escapeText(text: string): string {
  return text.replace(escaped, escapeChar);
}

function escapeChar(char: string): string {
  const known = escapes[char];
  if (known !== undefined) return known;
  const code = char.codePointAt(0) as number;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
