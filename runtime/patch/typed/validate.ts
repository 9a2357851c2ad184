import { excerpt } from '../../machinery/errors/excerpt.ts';
import { goType } from '../../machinery/go/type.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { maxReportedErrors } from '../../machinery/limits.ts';
import type { Json } from '../../machinery/object.ts';
import type {
  ListMerge,
  MapMerge,
  MergeSchema,
  ScalarMerge,
  StructMerge,
} from '../../machinery/schema/merge-schema.ts';
import { elementText, fieldElement, indexElement, type PathElement } from '../field-set/path-element.ts';
import { goSyntax, plainGoValue } from './go-value.ts';
import { identify } from './list-element.ts';
import { memberOfFields, shapeOf } from './schema-of.ts';
import { TypedError, type TypeProblem } from './typed-error.ts';

export interface ValidationOptions {
  /** Lists of type `set` and `map` may name an item twice. */
  readonly allowDuplicates?: boolean;
}

/** @throws TypedError naming every place where the value is not of its type */
export function validateTyped(value: Json, schema: MergeSchema, options: ValidationOptions = {}): void {
  const problems = check(value, schema, options.allowDuplicates === true);
  if (problems.length > 0) throw new TypedError(problems);
}

const none: readonly TypeProblem[] = [];

function check(value: Json, schema: MergeSchema, duplicates: boolean): readonly TypeProblem[] {
  const shape = shapeOf(schema, value);
  switch (shape.kind) {
    case 'scalar':
      return checkScalar(value, shape);
    case 'list':
      return checkList(value, shape, duplicates);
    default:
      return checkMap(value, shape, duplicates);
  }
}

function checkScalar(value: Json, { format }: ScalarMerge): readonly TypeProblem[] {
  if (value === null) return none;
  if (format === 'number') {
    if (typeof value === 'number' || typeof value === 'bigint') return none;
    return [{ path: '', message: `expected numeric (int or float), got ${goType(value)}` }];
  }
  if (format === 'text') {
    if (typeof value === 'string') return none;
    return [{ path: '', message: `expected string, got &value.valueUnstructured{Value:${excerpt(goSyntax(value))}}` }];
  }
  if (format === 'boolean') {
    if (typeof value === 'boolean') return none;
    return [{ path: '', message: `expected boolean, got &{${excerpt(plainGoValue(value))}}` }];
  }
  if (typeof value !== 'object') return none;
  return [{ path: '', message: `expected any scalar, got &{${excerpt(plainGoValue(value))}}` }];
}

function checkList(value: Json, list: ListMerge, duplicates: boolean): readonly TypeProblem[] {
  if (value === null) return none;
  if (!Array.isArray(value)) return [{ path: '', message: `expected list, got &{${excerpt(plainGoValue(value))}}` }];
  const items = list.items();
  if (list.listType === 'atomic') {
    const problems: TypeProblem[] = [];
    for (let i = 0; i < value.length && problems.length < maxReportedErrors; i++) {
      add(problems, indexElement(i), check(value[i], items, duplicates));
    }
    return problems;
  }
  const seen = new Set<PathElement>();
  const problems: TypeProblem[] = [];
  for (const [index, item] of value.entries()) {
    if (problems.length >= maxReportedErrors) break;
    const element = identify(list, item);
    if (typeof element !== 'string') {
      problems.push({ path: '', message: `element ${index}: ${element.message}` });
      return problems;
    }
    if (seen.has(element) && !duplicates) {
      problems.push({ path: '', message: `duplicate entries for key ${elementText(element)}` });
    }
    seen.add(element);
    add(problems, element, check(item, items, duplicates));
  }
  return problems;
}

function checkMap(value: Json, schema: StructMerge | MapMerge, duplicates: boolean): readonly TypeProblem[] {
  if (value === null) return none;
  if (!isJsonObject(value)) return [{ path: '', message: `expected map, got &{${excerpt(plainGoValue(value))}}` }];
  const problems: TypeProblem[] = [];
  for (const name of Object.keys(value)) {
    if (problems.length >= maxReportedErrors) break;
    const member = memberOfFields(schema, name);
    if (member === undefined) {
      problems.push({ path: excerpt(`.${name}`), message: 'field not declared in schema' });
      break;
    }
    add(problems, fieldElement(name), check(value[name], member, duplicates));
  }
  return problems;
}

/** Appends what is wrong below a step. */
function add(problems: TypeProblem[], element: PathElement, found: readonly TypeProblem[]): void {
  if (found.length === 0) return;
  const prefix = elementText(element);
  for (const { path, message } of found) problems.push({ path: excerpt(prefix + path), message });
}
