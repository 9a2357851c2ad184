import { excerpt } from '../../machinery/errors/excerpt.ts';
import { quote } from '../../machinery/go/quote.ts';
import { goNumber } from '../../machinery/go/value.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { maxExcerptLength } from '../../machinery/limits.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { Correlation } from '../../machinery/schema/correlation.ts';
import { countStep } from './cost.ts';
import { characterCount, hasDuplicates, inEnum, numberKind, withinMaximum, withinMinimum } from './is-valid.ts';
import { type Junctors, kinds, type SchemaNode } from './nodes.ts';
import { type Bound, boundFor, isInt64, isNumeric, multipleProblem, type Numeric } from './numbers.ts';
import { Result } from './problems.ts';

/**
 * Returns all errors of a value, in upstream's words and order. It is slow, and runs only on values that `isValid`
 * rejected. It counts passed checks like upstream, because the counts select the reported alternative of anyOf and
 * oneOf. (kube-openapi pkg/validation/validate; pkg/apiserver/validation/ratcheting.go)
 *
 * @param path in upstream's form: `spec.replicas`, `spec.list[0]`, `.key` for additional members of the root
 * @param correlation with the old value: errors of unchanged values are omitted
 */
export function explain(node: SchemaNode, value: Json, path: string, correlation?: Correlation): Result {
  const result = explainHere(node, value, path, correlation);
  if (correlation && result.problems.length > 0 && correlation.equal()) result.problems = [];
  return result;
}

function explainHere(node: SchemaNode, value: Json, path: string, correlation?: Correlation): Result {
  countStep();
  const result = new Result();
  checkType(node, value, path, result);
  if (value !== null) {
    if (node.typeText !== '' || node.formatName !== '') result.matches++;
    junctors(node.junctors, value, path, result);
    result.matches++;
    if (typeof value === 'string') {
      checkString(node, value, path, result);
      result.matches++;
      if (node.format) {
        checkFormat(node, value, path, result);
        result.matches++;
      }
    } else if (isNumeric(value)) {
      checkNumber(node, value, path, result);
      result.matches += 2;
    } else if (Array.isArray(value)) {
      checkList(node, value, { path, correlation }, result);
      result.matches += 2;
    }
  }
  checkEnum(node, value, path, result);
  if (value === null) return result;
  result.matches++;
  if (isJsonObject(value)) {
    checkObject(node, value, { path, correlation }, result);
    result.matches++;
  }
  result.matches++;
  return result;
}

/** The position of a value, and its correlation with the old value. */
interface Place {
  readonly path: string;
  readonly correlation: Correlation | undefined;
}

function invalidType(result: Result, path: string, wanted: string, actual: string): void {
  const message = `${path} in body must be of type ${wanted}: ${quote(actual)}`;
  result.problems.push({ code: 'type', name: path, message, value: actual });
}

function checkType(node: SchemaNode, value: Json, path: string, result: Result): void {
  const { kind, name, goFormat } = kindOf(value);
  if ((node.accepts & kind) !== 0) {
    if (node.typeText !== '' || node.formatName !== '') result.matches++;
    else if (value === null) result.matches++;
    return;
  }
  const ofFormat = node.formatName !== '' && kind !== kinds.string && kind !== kinds.array && kind !== kinds.null;
  if (ofFormat) invalidType(result, path, node.formatName, goFormat);
  else invalidType(result, path, node.typeText, name);
}

function kindOf(value: Json): { kind: number; name: string; goFormat: string } {
  if (value === null) return { kind: kinds.null, name: 'null', goFormat: '' };
  if (typeof value === 'string') return { kind: kinds.string, name: 'string', goFormat: '' };
  if (typeof value === 'boolean') return { kind: kinds.boolean, name: 'boolean', goFormat: '' };
  if (isNumeric(value)) {
    const kind = numberKind(value);
    return isInt64(value) ? { kind, name: 'integer', goFormat: 'int64' } : { kind, name: 'number', goFormat: 'float64' };
  }
  if (Array.isArray(value)) return { kind: kinds.array, name: 'array', goFormat: '' };
  return { kind: kinds.object, name: 'object', goFormat: '' };
}

/** Reports only the first error of a string. */
function checkString(node: SchemaNode, value: string, path: string, result: Result): void {
  const length = characterCount(value);
  if (length > node.maxLength) {
    const message = `${path} in body should be at most ${node.maxLength} chars long`;
    result.problems.push({ code: 'too-long', name: path, message, max: node.maxLength });
  } else if (length < node.minLength) {
    const message = `${path} in body should be at least ${node.minLength} chars long`;
    result.problems.push({ code: 'value', name: path, message, value });
  } else if (node.pattern && !node.pattern.test(value)) {
    const shown =
      node.pattern.error === undefined ? node.patternText : `${node.patternText}, but pattern is invalid: ${node.pattern.error}`;
    result.problems.push({ code: 'value', name: path, message: `${path} in body should match '${shown}'`, value });
  }
}

function checkFormat(node: SchemaNode, value: string, path: string, result: Result): void {
  if (node.format?.(value)) return;
  const message = `${path} in body must be of type ${node.formatName}: ${quote(value)}`;
  result.problems.push({ code: 'type', name: path, message, value });
}

function checkNumber(node: SchemaNode, value: Numeric, path: string, result: Result): void {
  const report = (message: string, shown: Numeric = value): void => {
    result.problems.push({ code: 'value', name: path, message, value: shown });
  };
  const float = !isInt64(value);
  if (node.multipleOf !== undefined) {
    const factor = boundFor(value, node.multipleOf);
    const problem = multipleProblem(value, node.multipleOf);
    if (problem === 'not-positive') {
      report(`factor MultipleOf declared for ${path} must be positive: ${goNumber(factor, float)}`, factor);
    } else if (problem) report(`${path} in body should be a multiple of ${goNumber(factor, float)}`);
  }
  if (!withinMinimum(node, value)) {
    const relation = node.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
    report(`${path} in body should be ${relation} ${goNumber(boundFor(value, node.minimum as Bound), float)}`);
  }
  if (!withinMaximum(node, value)) {
    const relation = node.exclusiveMaximum ? 'less than' : 'less than or equal to';
    report(`${path} in body should be ${relation} ${goNumber(boundFor(value, node.maximum as Bound), float)}`);
  }
}

function checkList(node: SchemaNode, list: Json[], { path, correlation }: Place, result: Result): void {
  const { items } = node;
  if (items) {
    for (const [index, item] of list.entries()) {
      if (result.isFull) break;
      result.merge(explain(items, item, `${path}[${index}]`, correlation?.index(index)));
    }
  }
  if (list.length < node.minItems) {
    const message = `${path} in body should have at least ${node.minItems} items`;
    result.problems.push({ code: 'value', name: path, message, value: list.length });
  }
  if (list.length > node.maxItems) {
    const message = `${path} in body should have at most ${node.maxItems} items`;
    result.problems.push({ code: 'too-many', name: path, message, actual: list.length, max: node.maxItems });
  }
  if (node.uniqueItems && hasDuplicates(list)) {
    const message = `${path} in body shouldn't contain duplicates`;
    result.problems.push({ code: 'value', name: path, message, value: undefined });
  }
}

function checkEnum(node: SchemaNode, value: Json, path: string, result: Result): void {
  if (!node.enum || inEnum(node, value)) return;
  const message = `${path} in body should be one of [${enumText(node.enum)}]`;
  result.problems.push({ code: 'enum', name: path, message, value, values: node.enum });
}

const enumTexts = new WeakMap<readonly Json[], string>();

/** Returns the members that fit into a message. The text is shared by all invalid values. */
function enumText(members: readonly Json[]): string {
  let text = enumTexts.get(members);
  if (text === undefined) {
    text = excerpt(members.map(goText).join(' '), 2 * maxExcerptLength);
    enumTexts.set(members, text);
  }
  return text;
}

const goText = (value: Json): string => (isNumeric(value) ? goNumber(value) : String(value));

function checkObject(node: SchemaNode, object: JsonObject, { path, correlation }: Place, result: Result): void {
  const names = Object.keys(object);
  if (names.length < node.minProperties) {
    const message = `${path} in body should have at least ${node.minProperties} properties`;
    result.problems.push({ code: 'value', name: path, message, value: names.length });
  }
  if (names.length > node.maxProperties) {
    const message = `${path} in body should have at most ${node.maxProperties} properties`;
    result.problems.push({ code: 'too-many', name: path, message, actual: names.length, max: node.maxProperties });
  }
  const { properties, additional } = node;
  if (additional !== undefined) {
    for (const name of names) {
      if (properties?.has(name)) continue;
      if (result.isFull) break;
      if (additional === false) {
        const message = `${path}.${name} in body is a forbidden property`;
        result.problems.push({ code: 'value', name: path, message, value: name });
      } else result.merge(explain(additional, object[name] ?? null, `${path}.${name}`, correlated(correlation, path, name)));
    }
  }
  for (const name of properties ? shorter(properties, names) : []) {
    const property = properties?.get(name);
    if (property === undefined || !Object.hasOwn(object, name)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    result.merge(explain(property, object[name] ?? null, at, correlated(correlation, path, name)));
  }
  for (const name of node.required ?? []) {
    if (Object.hasOwn(object, name)) continue;
    if (result.isFull) break;
    const at = `${path}.${name}`;
    result.problems.push({ code: 'required', name: at, message: `${at} in body is required` });
  }
}

/** Returns the names of the schema in order, or the names of the object if the schema is much larger. */
function shorter(properties: ReadonlyMap<string, SchemaNode>, names: readonly string[]): Iterable<string> {
  return properties.size > names.length + 64 ? names : properties.keys();
}

/** kind and apiVersion are not ratcheted: they are equal in both objects. */
function correlated(correlation: Correlation | undefined, path: string, name: string): Correlation | undefined {
  return path === '' && (name === 'kind' || name === 'apiVersion') ? undefined : correlation?.key(name);
}

/** Alternatives are not ratcheted. (pkg/validation/validate/schema_props.go) */
function junctors(all: Junctors | undefined, value: Json, path: string, result: Result): void {
  if (all) {
    anyOf(all.anyOf, value, path, result);
    oneOf(all.oneOf, value, path, result);
    allOf(all.allOf, value, path, result);
    if (all.not && explain(all.not, value, path).problems.length === 0) {
      result.problems.push({ code: 'composite', message: `${quote(path)} must not validate the schema (not)` });
    }
  }
  result.matches++;
}

function anyOf(nodes: readonly SchemaNode[], value: Json, path: string, result: Result): void {
  if (nodes.length === 0) return;
  let best: Result | undefined;
  for (const node of nodes) {
    const one = explain(node, value, path);
    if (one.problems.length === 0) {
      result.merge(one);
      return;
    }
    if (!best || one.matches > best.matches) best = one;
  }
  result.problems.push({ code: 'composite', message: `${quote(path)} must validate at least one schema (anyOf)` });
  if (best) result.merge(best);
}

function oneOf(nodes: readonly SchemaNode[], value: Json, path: string, result: Result): void {
  if (nodes.length === 0) return;
  let best: Result | undefined;
  let first: Result | undefined;
  let good = 0;
  for (const node of nodes) {
    const one = explain(node, value, path);
    if (one.problems.length === 0) {
      good++;
      best = undefined;
      first ??= one;
    } else if (good === 0 && (!best || one.matches > best.matches)) best = one;
  }
  if (good === 1 && first) {
    result.merge(first);
    return;
  }
  const found = good === 0 ? 'Found none valid' : `Found ${good} valid alternatives`;
  const message = `${quote(path)} must validate one and only one schema (oneOf). ${found}`;
  result.problems.push({ code: 'composite', message });
  if (best) result.merge(best);
}

function allOf(nodes: readonly SchemaNode[], value: Json, path: string, result: Result): void {
  if (nodes.length === 0) return;
  let good = 0;
  for (const node of nodes) {
    const one = explain(node, value, path);
    if (one.problems.length === 0) good++;
    result.merge(one);
  }
  if (good === nodes.length) return;
  const none = good === 0 ? '. None validated' : '';
  result.problems.push({ code: 'composite', message: `${quote(path)} must validate all the schemas (allOf)${none}` });
}
