import type { Condition } from '../model/model.ts';
import { text } from '../print/literal.ts';

/** A path below the object as an expression that gives undefined where the way ends: `object.template?.metadata`. */
export function pathText(path: string): string {
  const [first, ...rest] = path.split('.');
  return `object${access(first, false)}${rest.map((name) => access(name, true)).join('')}`;
}

function access(name: string, optional: boolean): string {
  if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) return `${optional ? '?' : ''}.${name}`;
  return `${optional ? '?.' : ''}[${text(name)}]`;
}

/** A condition as an expression over `object`. */
export function conditionText(condition: Condition): string {
  return Object.entries(condition)
    .map(([path, wanted]) => testText(pathText(path), wanted))
    .join(' && ');
}

function testText(value: string, wanted: Condition[string]): string {
  if (typeof wanted !== 'object') return `${value} === ${text(wanted)}`;
  if ('present' in wanted) return `${value} ${wanted.present ? '!=' : '=='} null`;
  if ('not' in wanted) return `${value} !== ${text(wanted.not)}`;
  const options = wanted.in.map((option) => `${value} === ${text(option)}`);
  return options.length === 1 ? options[0] : `(${options.join(' || ')})`;
}
