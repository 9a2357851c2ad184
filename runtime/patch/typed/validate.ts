import { excerpt } from '../../machinery/errors/excerpt.ts';
import { formatGoSyntax, formatGoValue } from '../../machinery/go/format.ts';
import { goType } from '../../machinery/go/type.ts';
import { withoutFloat64 } from '../../machinery/json/float64.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { maxReportedErrors } from '../../machinery/limits.ts';
import type { Json } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, ScalarMerge, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { fieldElement, indexElement, type PathElement, pathElementToString } from '../fieldpath/path-element.ts';
import { declaredMemberSchema, resolveAtom } from './atom.ts';
import { listItemFailure, listItemToPathElement } from './list-item.ts';
import { type ValidationError, ValidationErrors } from './validation-errors.ts';

export interface ValidationOptions {
  /** Allows duplicate items in lists of type `set` and `map`. (typed.AllowDuplicates) */
  readonly allowDuplicates?: boolean;
}

/** @throws ValidationErrors if the value does not match its schema */
export function validateTyped(value: Json, schema: MergeSchema, options: ValidationOptions = {}): void {
  const errors = validate(value, schema, options.allowDuplicates === true);
  if (errors.length > 0) throw new ValidationErrors(errors);
}

const none: readonly ValidationError[] = [];

function validate(value: Json, schema: MergeSchema, allowDuplicates: boolean): readonly ValidationError[] {
  const atom = resolveAtom(schema, value);
  switch (atom.kind) {
    case 'scalar':
      return validateScalar(value, atom);
    case 'list':
      return validateList(value, atom, allowDuplicates);
    default:
      return validateMap(value, atom, allowDuplicates);
  }
}

function validateScalar(value: Json, { format }: ScalarMerge): readonly ValidationError[] {
  if (value === null) return none;
  if (format === 'number') {
    if (typeof withoutFloat64(value) === 'number' || typeof value === 'bigint') return none;
    return [{ path: '', message: `expected numeric (int or float), got ${goType(value)}` }];
  }
  if (format === 'text') {
    if (typeof value === 'string') return none;
    return [{ path: '', message: `expected string, got &value.valueUnstructured{Value:${excerpt(formatGoSyntax(value))}}` }];
  }
  if (format === 'boolean') {
    if (typeof value === 'boolean') return none;
    return [{ path: '', message: `expected boolean, got &{${excerpt(formatGoValue(value))}}` }];
  }
  if (typeof withoutFloat64(value) !== 'object') return none;
  return [{ path: '', message: `expected any scalar, got &{${excerpt(formatGoValue(value))}}` }];
}

function validateList(value: Json, list: ListMerge, allowDuplicates: boolean): readonly ValidationError[] {
  if (value === null) return none;
  if (!Array.isArray(value)) return [{ path: '', message: `expected list, got &{${excerpt(formatGoValue(value))}}` }];
  const items = list.items();
  if (list.listType === 'atomic') {
    const errors: ValidationError[] = [];
    for (const [i, item] of value.entries()) {
      if (errors.length >= maxReportedErrors) break;
      const found = validate(item, items, allowDuplicates);
      if (found.length > 0) add(errors, indexElement(i), found);
    }
    return errors;
  }
  const seen = allowDuplicates ? undefined : new Set<PathElement>();
  const errors: ValidationError[] = [];
  for (const [index, item] of value.entries()) {
    if (errors.length >= maxReportedErrors) break;
    const failure = listItemFailure(list, item);
    if (failure !== undefined) {
      errors.push({ path: '', message: `element ${index}: ${failure.message}` });
      return errors;
    }
    if (seen !== undefined) checkDuplicate(listItemToPathElement(list, item) as PathElement, seen, errors);
    const found = validate(item, items, allowDuplicates);
    if (found.length > 0) add(errors, listItemToPathElement(list, item) as PathElement, found);
  }
  return errors;
}

function checkDuplicate(element: PathElement, seen: Set<PathElement>, errors: ValidationError[]): void {
  if (seen.has(element)) errors.push({ path: '', message: `duplicate entries for key ${pathElementToString(element)}` });
  seen.add(element);
}

function validateMap(value: Json, schema: StructMerge | MapMerge, allowDuplicates: boolean): readonly ValidationError[] {
  if (value === null) return none;
  if (!isJsonObject(value)) return [{ path: '', message: `expected map, got &{${excerpt(formatGoValue(value))}}` }];
  const errors: ValidationError[] = [];
  for (const name of Object.keys(value)) {
    if (errors.length >= maxReportedErrors) break;
    const member = declaredMemberSchema(schema, name);
    if (member === undefined) {
      errors.push({ path: excerpt(`.${name}`), message: 'field not declared in schema' });
      break;
    }
    const found = validate(value[name] ?? null, member, allowDuplicates);
    if (found.length > 0) add(errors, fieldElement(name), found);
  }
  return errors;
}

/** Appends the errors of a child. */
function add(errors: ValidationError[], element: PathElement, childErrors: readonly ValidationError[]): void {
  const prefix = pathElementToString(element);
  for (const { path, message } of childErrors) errors.push({ path: excerpt(prefix + path), message });
}
