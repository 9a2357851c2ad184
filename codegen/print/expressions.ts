import type { Condition } from '../model/model.ts';
import { isIdentifier, literal } from './literal.ts';

/** Returns `object.name`, or `object['x-kubernetes-map-type']`. */
export function member(object: string, json: string): string {
  return isIdentifier(json) && json !== '__proto__' ? `${object}.${json}` : `${object}[${literal(json)}]`;
}

/**
 * Returns an expression for a dotted path below `object`, undefined if a part is missing: `template.metadata` ->
 * `object.template?.metadata`.
 */
export function memberPath(path: string): string {
  const [first = '', ...rest] = path.split('.');
  return `${member('object', first)}${rest.map(optionalMember).join('')}`;
}

const optionalMember = (name: string): string => (isIdentifier(name) ? `?.${name}` : `?.[${literal(name)}]`);

/** Returns a condition as an expression over `object`. */
export function conditionExpression(condition: Condition): string {
  return Object.entries(condition)
    .map(([path, wanted]) => testExpression(memberPath(path), wanted))
    .join(' && ');
}

function testExpression(value: string, wanted: Condition[string]): string {
  if (typeof wanted !== 'object') return `${value} === ${literal(wanted)}`;
  if ('present' in wanted) return `${value} ${wanted.present ? '!=' : '=='} null`;
  if ('not' in wanted) return `${value} !== ${literal(wanted.not)}`;
  const options = wanted.in.map((option) => `${value} === ${literal(option)}`);
  const [only = '', ...others] = options;
  return others.length === 0 ? only : `(${options.join(' || ')})`;
}
