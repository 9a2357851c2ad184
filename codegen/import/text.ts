import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
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
    if (/^\s*[[{]/.test(text)) reason = (error as Error).message.replace(/(?: in JSON at position|,? (?:\.{3}|"))[\s\S]*$/, '');
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault === undefined) return toValue(document, name);
  const { line, col } = lines.linePos(Math.min(fault.pos[0], text.length));
  throw new ImportError(`${name}:${line}:${col}: ${reason ?? fault.message}`);
}

/** Refuses aliases that expand beyond the size of a document. */
function toValue(parsed: Document, name: string): unknown {
  try {
    return parsed.toJS();
  } catch (error) {
    throw new ImportError(`${name}: ${(error as Error).message}`);
  }
}

/**
 * Returns a function that finds the line of a value in a text that parseText has parsed, by the parts of its JSON
 * pointer.
 */
export function lineFinder(text: string): (pointer: readonly string[]) => number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  return (pointer) => {
    // a value behind an alias has the line of the alias
    for (let length = pointer.length; length > 0; length--) {
      const node = document.getIn(pointer.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
}
