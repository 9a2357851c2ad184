import { type ParsedScript, parse } from 'unbash';
import { BoundedMap } from '../../../machinery/collections/bounded-map.ts';

/** The longest script, in characters. */
const maxLength = 64 * 1024;

/** Pods of one template run the same script, and share its tree. */
const maxTrees = 128;
/** The longest script whose tree is kept for others, in characters. */
const maxShared = 4096;
const trees = new BoundedMap<string, ParsedScript>(maxTrees);

export class ShellSyntaxError extends Error {}

/** @throws ShellSyntaxError */
export function parseScript(text: string): ParsedScript {
  if (text.length > maxLength) throw new ShellSyntaxError('script too long');
  const shared = trees.get(text);
  if (shared !== undefined) return shared;
  const tree = checked(parse(text));
  if (text.length <= maxShared) trees.set(text, tree);
  return tree;
}

/**
 * Returns the script of a substitution if it is one.
 *
 * @throws ShellSyntaxError
 */
export function checked(script: ParsedScript): ParsedScript {
  const messages = (script.errors ?? []).map(({ message }) => message);
  const [first] = messages;
  if (first === undefined) return script;
  throw new ShellSyntaxError(`syntax error: ${problem(messages)}`);
}

/** Returns busybox's words for the parser's. */
function problem(messages: readonly string[]): string {
  for (const message of messages) {
    if (/^unterminated .*quote/.test(message)) return 'unterminated quoted string';
    const [, token] = /^unexpected token '(.*)'$/s.exec(message) ?? [];
    if (token !== undefined) return `unexpected ${JSON.stringify(token.trim() === '' ? 'newline' : token)}`;
    const [, missing] = /^expected '(\w+|[)}]+)'/.exec(message) ?? [];
    if (missing !== undefined) return `unexpected end of file (expecting ${JSON.stringify(missing)})`;
  }
  return 'unexpected end of file';
}
