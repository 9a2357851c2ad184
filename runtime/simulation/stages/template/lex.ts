import { quote } from '../../../machinery/go/quote.ts';

/** A template cannot be read or run. The message has the line. */
export class TemplateError extends Error {
  constructor(message: string, line: number) {
    super(`template: :${line}: ${message}`);
  }
}

/** The longest template, in characters. */
const maxLength = 256 * 1024;

export interface Piece {
  readonly kind: 'text' | 'action';
  /** For actions, the text between the delimiters, trimmed. */
  readonly text: string;
  readonly line: number;
}

/**
 * Splits a template into text and actions, trimmed by their delimiters. Drops comments.
 *
 * @throws TemplateError
 */
export function piecesOf(template: string): Piece[] {
  if (template.length > maxLength) throw new TemplateError('template is too long', 1);
  const pieces: Piece[] = [];
  let at = 0;
  let line = 1;
  let trims = false;
  const addText = (end: number, trimsEnd: boolean): void => {
    let text = template.slice(at, end);
    line += countLines(text);
    if (trims) text = text.replace(/^[ \t\r\n]+/, '');
    if (trimsEnd) text = text.trimEnd();
    if (text !== '') pieces.push({ kind: 'text', text, line });
  };
  for (let open = template.indexOf('{{'); open >= 0; open = template.indexOf('{{', at)) {
    const trimsBefore = /^\{\{-[ \t\r\n]/.test(template.slice(open, open + 4));
    addText(open, trimsBefore);
    const start = open + (trimsBefore ? 3 : 2);
    const close = actionEnd(template, start, line);
    const inner = template.slice(start, close);
    trims = /[ \t\r\n]-$/.test(inner);
    const text = (trims ? inner.slice(0, -1) : inner).trim();
    if (!text.startsWith('/*')) pieces.push({ kind: 'action', text, line });
    line += countLines(inner);
    at = close + 2;
  }
  addText(template.length, false);
  return pieces;
}

const countLines = (text: string): number => text.split('\n').length - 1;

/** Returns the end of an action. Delimiters in its string literals do not count. */
function actionEnd(template: string, start: number, line: number): number {
  const comment = /^\s*\/\*/.exec(template.slice(start, start + 64));
  if (comment !== null) {
    const end = template.indexOf('*/', start + comment[0].length);
    const close = end < 0 ? -1 : template.indexOf('}}', end);
    if (close < 0) throw new TemplateError('unclosed comment', line);
    return close;
  }
  for (let at = start; at < template.length; at++) {
    const char = template[at];
    if (char === '}' && template[at + 1] === '}') return at;
    if (char !== '"' && char !== '`' && char !== "'") continue;
    at++;
    while (at < template.length && template[at] !== char) at += template[at] === '\\' && char !== '`' ? 2 : 1;
  }
  throw new TemplateError('unclosed action', line);
}

const token =
  /\s+|("(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|\$\w*|\.[A-Za-z_]\w*|[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|0[xX][\da-fA-F]+|[A-Za-z_]\w*|:=|[.|(),=])/y;

/**
 * Splits an action into tokens. White space before a field is a token, because it ends the operand before.
 *
 * @throws TemplateError
 */
export function actionTokens(text: string, line: number): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new TemplateError(`unexpected ${quote(text.charAt(at))} in command`, line);
    if (match[1] !== undefined) tokens.push(match[1]);
    else if (text[token.lastIndex] === '.' && tokens.length > 0) tokens.push(' ');
  }
  return tokens;
}
