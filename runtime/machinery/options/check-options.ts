import { excerpt } from '../errors/excerpt.ts';
import { OptionError } from './option-error.ts';
import { type OptionObject, type OptionType, wantedOf } from './option-type.ts';
import { didYouMean } from './suggestion.ts';

/** A problem with an option: its name is unknown, or its value is wrong. */
export interface OptionFinding {
  /** Names from the outermost object inwards; items of lists as `[0]`. */
  readonly path: readonly string[];
  readonly problem: 'unknown' | 'missing' | 'value';
  readonly value: unknown;
  /** For `unknown`, `: did you mean "clock"?` or "". For `value`, the accepted values. */
  readonly hint: string;
}

/** @throws OptionError with the wrong option, and the name that was probably meant */
export function requireOptions(type: OptionType, given: unknown): void {
  const [finding] = findingsOf(type, given);
  if (finding !== undefined) throw new OptionError(messageOf(finding));
}

function messageOf({ path, problem, value, hint }: OptionFinding): string {
  const name = JSON.stringify(excerpt(path.join('.').replaceAll('.[', '[')));
  if (problem === 'unknown') return `unknown option ${name}${hint}`;
  if (problem === 'missing') return `option ${name} is needed`;
  return path.length === 0 ? `options are ${hint}, not ${shown(value)}` : `option ${name}: ${shown(value)} is not ${hint}`;
}

function shown(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? (value.length === 0 ? 'an empty list' : 'a list') : 'an object';
  return excerpt(typeof value === 'string' ? JSON.stringify(value) : String(value));
}

/** Returns the problems of a value. Undefined members count as absent. */
export function findingsOf(type: OptionType, value: unknown, path: readonly string[] = []): OptionFinding[] {
  const wrong = (): OptionFinding[] => [{ path, problem: 'value', value, hint: wantedOf(type) }];
  switch (type.kind) {
    case 'object':
      return isObject(value) ? findingsOfMembers(type, value, path) : wrong();
    case 'map':
      if (!isObject(value)) return wrong();
      return Object.entries(value).flatMap(([key, one]) => findingsOf(type.value, one, [...path, key]));
    case 'list':
      if (!Array.isArray(value) || (type.isNeverEmpty && value.length === 0)) return wrong();
      return value.flatMap((item, at) => findingsOf(type.item, item, [...path, `[${at}]`]));
    case 'either':
      return findingsOfEither(type.types, value, path) ?? wrong();
    default:
      return isValue(type, value) ? [] : wrong();
  }
}

function findingsOfMembers({ members, required, isImplemented }: OptionObject, value: object, path: readonly string[]) {
  const found: OptionFinding[] = [];
  const given = value as Readonly<Record<string, unknown>>;
  for (const key of isImplemented && !isPlain(value) ? [] : Object.keys(value)) {
    if (Object.hasOwn(members, key)) continue;
    const problem = 'unknown' as const;
    found.push({ path: [...path, key], problem, value: given[key], hint: didYouMean(key, Object.keys(members)) });
  }
  for (const [key, type] of Object.entries(members)) {
    if (given[key] !== undefined) found.push(...findingsOf(type, given[key], [...path, key]));
    else if (required.includes(key)) found.push({ path: [...path, key], problem: 'missing', value: undefined, hint: '' });
  }
  return found;
}

/**
 * Returns the problems inside a value that has the form of one of the types. Returns undefined if it has the form of
 * none.
 */
function findingsOfEither(types: readonly OptionType[], value: unknown, path: readonly string[]): OptionFinding[] | undefined {
  let inside: OptionFinding[] | undefined;
  for (const type of types) {
    const found = findingsOf(type, value, path);
    if (found.length === 0) return [];
    if (found.every((finding) => finding.path.length > path.length)) inside ??= found;
  }
  return inside;
}

function isValue(type: OptionType, value: unknown): boolean {
  switch (type.kind) {
    case 'text':
      return typeof value === 'string';
    case 'boolean':
    case 'function':
      return typeof value === type.kind;
    case 'number':
      return typeof value === 'number' && value >= type.min && value <= type.max && (!type.isWhole || Number.isSafeInteger(value));
    case 'oneOf':
      return typeof value === 'string' && type.values.includes(value);
    case 'checked':
      return type.accepts(value);
    default:
      return false;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports whether an object has no class, in any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
