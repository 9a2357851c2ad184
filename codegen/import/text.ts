import { LineCounter, parseDocument } from 'yaml';
import { ImportError } from './source.ts';

/**
 * Parses JSON or YAML.
 *
 * @param name for error messages
 * @throws ImportError with name, line and column
 */
export function parseText(text: string, name: string): unknown {
  let reason: string | undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*[[{]/.test(text)) reason = (error as Error).message.replace(/,? (?:\.{3}|")[\s\S]*$/, '');
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault === undefined) return document.toJS();
  const { line, col } = lines.linePos(Math.min(fault.pos[0], text.length));
  throw new ImportError(`${name}:${line}:${col}: ${reason ?? fault.message}`);
}
