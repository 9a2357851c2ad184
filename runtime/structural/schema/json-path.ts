import { ageOf } from '../../machinery/age.ts';
import { goNumber } from '../../machinery/go/value.ts';
import { stableText } from '../../machinery/json/equality.ts';
import { withoutFloat64 } from '../../machinery/json/float64.ts';
import { htmlSafe } from '../../machinery/json/html-safe.ts';
import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import { type Json, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { newRowBudget, type RowBudget, type TableCell, type TableColumn } from '../../machinery/resource.ts';
import { isJsonPathError, JsonPathError, type PathNode, parseJsonPath } from './json-path-parser.ts';
import { isNumeric, truncated } from './numbers.ts';

export { isJsonPathError, JsonPathError } from './json-path-parser.ts';

/** The budget of one character of a cell, in steps. */
const stepsPerCharacter = 1 / 16;

/**
 * Compiles Kubernetes' JSONPath for printer columns and selectable fields: `.spec.replicas`,
 * `.status.conditions[?(@.type=="Ready")].status`. The returned function finds all values. A missing member is not an
 * error, but an index beyond the list is. (client-go util/jsonpath)
 *
 * @throws JsonPathError if the path is invalid; the function throws it if the path does not match the object
 */
export function compileJsonPath(path: string): (object: Json, budget?: RowBudget) => Json[] {
  const nodes = parseJsonPath(path);
  return (object, budget = newRowBudget()) => evaluate(nodes, [object], budget);
}

/** Counts visited values. Unions and descents multiply them. @throws JsonPathError */
function spend(budget: RowBudget, steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new JsonPathError('the path finds too many values');
}

function evaluate(nodes: readonly PathNode[], values: Json[], budget: RowBudget): Json[] {
  let found = values;
  for (const node of nodes) {
    spend(budget, found.length);
    found = step(node, found, budget);
  }
  return found;
}

function step(node: PathNode, values: Json[], budget: RowBudget): Json[] {
  switch (node.step) {
    case 'field':
      return values.flatMap((value) => {
        const member = isJsonObject(value) ? memberOf(value, node.name) : undefined;
        return member === undefined ? [] : [member];
      });
    case 'wildcard':
      return values.flatMap((value) => contents(value, budget));
    case 'recursive': {
      const found: Json[] = [];
      for (const value of values) descend(value, budget, found);
      return found;
    }
    case 'literal':
      return values.map(() => node.value);
    case 'identifier':
      throw new JsonPathError(`unrecognized identifier ${node.name}`);
    case 'slice':
      return values.flatMap((value) => (value === null ? [] : slice(node, value, budget)));
    case 'union':
      return node.paths.flatMap((path) => evaluate(path, values, budget));
    case 'filter':
      return values.flatMap((value) => filter(node, value, budget));
  }
}

function contents(value: Json, budget: RowBudget): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value);
  spend(budget, inside.length);
  return inside;
}

/** Adds the value and all values below it, except empty ones. */
function descend(value: Json, budget: RowBudget, found: Json[]): void {
  const inside = contents(value, budget);
  if (inside.length === 0) return;
  found.push(value);
  for (const one of inside) descend(one, budget, found);
}

function slice(node: PathNode & { step: 'slice' }, value: Json, budget: RowBudget): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError('value is not array or slice');
  const { length } = value;
  const given = node.from ?? 0;
  const from = given < 0 ? given + length : given;
  const end = node.single ? from + 1 : (node.to ?? length);
  const to = end < 0 ? end + length : end;
  if (from === to) return [];
  if (from >= length || from < 0) outOfBounds(from, length);
  if (to > length || to < 0) outOfBounds(to - 1, length);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  const by = node.by ?? 1;
  if (by <= 0) throw new JsonPathError('step must be > 0');
  spend(budget, to - from);
  return value.slice(from, to).filter((_item, index) => index % by === 0);
}

function outOfBounds(index: number, length: number): never {
  throw new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function filter({ left, operator, right }: PathNode & { step: 'filter' }, value: Json, budget: RowBudget): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError('value is not array or slice and cannot be filtered');
  return value.filter((item) => {
    const lefts = evaluate(left, [item], budget);
    if (operator === 'exists') return lefts.length > 0;
    const rights = lefts.length === 0 ? [] : evaluate(right, [item], budget);
    if (lefts.length > 1 || rights.length > 1) throw new JsonPathError('can only compare one element at a time');
    const [left0] = lefts;
    const [right0] = rights;
    return left0 !== undefined && right0 !== undefined && compare(operator, left0, right0);
  });
}

function compare(operator: string, left: Json, right: Json): boolean {
  const order = orderOf(left, right, operator);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function orderOf(left: Json, right: Json, operator: string): number {
  if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'boolean' && typeof right === 'boolean' && (operator === '==' || operator === '!=')) {
    return left === right ? 0 : 1;
  }
  throw new JsonPathError('incompatible types for comparison');
}

/** Returns the first value; undefined if none exists or the path does not match. */
function first(find: ReturnType<typeof compileJsonPath>, object: KubeObject, budget: RowBudget = newRowBudget()): Json | undefined {
  try {
    return find(unstructuredContent(object), budget)[0];
  } catch (error) {
    if (isJsonPathError(error)) return undefined;
    throw error;
  }
}

/**
 * Compiles the cell of a printer column. The cell is null without a value, or with one that the column's type cannot
 * show. (apiextensions-apiserver pkg/registry/customresource/tableconvertor)
 *
 * @param type string, integer, number, boolean or date
 * @throws JsonPathError if the path is invalid
 */
export function columnCell(type: string, path: string): TableColumn['cell'] {
  const find = compileJsonPath(path);
  return (object, now, budget = newRowBudget()) => {
    if (budget.left <= 0) return null;
    const value = first(find, object, budget);
    if (value === undefined) return null;
    const cell = cellOf(type, value, now);
    if (typeof cell === 'string') budget.left -= cell.length * stepsPerCharacter;
    return cell;
  };
}

function cellOf(type: string, value: Json, now: number): TableCell {
  if (type === 'string') return printed(value);
  if (value === null) return null;
  switch (type) {
    case 'integer':
      return isNumeric(value) ? truncated(withoutFloat64(value)) : null;
    case 'number':
      return isNumeric(value) ? Number(withoutFloat64(value)) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, now) : null;
    default:
      return null;
  }
}

/** Formats an RFC 3339 time with seconds. "null" and "" are not a time. */
function dateCell(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const shaped = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = text.replace(',', '.');
  return shaped && !Number.isNaN(Date.parse(time)) ? ageOf(time, now) : '<invalid>';
}

/** Prints a value as kubectl's templates do. */
function printed(value: Json): string {
  if (value === null) return '<no value>';
  if (isNumeric(value)) return goNumber(value);
  return typeof value === 'object' ? htmlSafe(stableText(value)) : String(value);
}

/**
 * Returns the function that reads a field selector's value; "" without a value. The label of the selector is the path
 * without its first dot. (apiextensions-apiserver pkg/registry/customresource/strategy.go selectableFields)
 *
 * @throws JsonPathError if the path is invalid
 */
export function selectableValue(path: string): (object: KubeObject) => string {
  const find = compileJsonPath(path);
  return (object) => {
    const value = first(find, object);
    return value === undefined || value === null ? '' : printed(value);
  };
}
