import type { Attack, Request } from '../harness/attack.ts';
import { create } from './json.ts';
import type { Target } from './targets.ts';

const yaml = 'application/yaml';

/** Returns an object of the target as YAML. Raw text follows it at the left margin. */
export function yamlText(target: Target, more = '', metadata = ''): string {
  const members = Object.entries(target.members).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `${members.join('')}metadata:\n  name: ${target.object}\n${metadata}${more}`;
}

/** Returns the row for an object with more text after it. */
export function yamlCreation(
  name: string,
  target: Target,
  more: () => string,
  codes: readonly number[],
  message?: string | RegExp,
  validation = 'Warn',
): Attack {
  const send = (): Request => create(target, yamlText(target, more()), `&fieldValidation=${validation}`, yaml);
  return { name, send, codes, message };
}

/** Returns the row for a whole body. */
export function yamlBody(
  name: string,
  target: Target,
  body: () => string | Uint8Array,
  codes: readonly number[],
  message?: string | RegExp,
): Attack {
  return { name, send: () => create(target, body(), '', yaml), codes, message };
}
