import { isObject } from '../json.ts';
import type { Schema } from '../openapi.ts';
import { resourceNotes } from '../overlay-shape.ts';
import type { ProblemList } from '../schema-errors.ts';
import { exactly, flag, listOf, type Shape, text } from '../shapes.ts';
import { formatFault, notesKey, treatmentOf, typeFault, type ValueKind } from './keywords.ts';

type Pointer = readonly string[];

/** A `$ref` with the prefix of OpenAPI v3 or of Swagger 2.0. */
const refPattern = /^#\/(?:components\/schemas|definitions)\/[A-Za-z0-9._-]+$/;

/**
 * Reports every part of a schema that Kubernetes cannot honour: unknown and refused keywords, invalid values of a
 * keyword, keywords that contradict each other. Ignores nothing except prose. Returns false if it reports a problem.
 */
export function checkKeywords(schema: unknown, file: string, pointer: Pointer, problems: ProblemList): boolean {
  const checker = new KeywordChecker(file, problems);
  checker.schema(schema, pointer);
  return checker.isHonoured;
}

class KeywordChecker {
  readonly #file: string;
  readonly #problems: ProblemList;
  isHonoured = true;

  constructor(file: string, problems: ProblemList) {
    this.#file = file;
    this.#problems = problems;
  }

  schema(schema: unknown, pointer: Pointer): void {
    // OpenAPI 3.1 allows any value by `true`
    if (schema === true) return;
    if (!isObject(schema)) {
      this.#add(pointer, schema === false ? 'no value is valid here; leave it out' : 'is not a schema');
      return;
    }
    for (const [keyword, value] of Object.entries(schema)) this.#keyword(keyword, value, [...pointer, keyword]);
    this.#together(schema as Schema, pointer);
  }

  #keyword(keyword: string, value: unknown, at: Pointer): void {
    const treatment = treatmentOf(keyword);
    if (typeof treatment === 'object') {
      this.#add(at, `${keyword} is not supported: ${treatment.refused}`);
      return;
    }
    const fault = faultOf(treatment, value);
    const faults = settings[treatment]?.(value, at) ?? [];
    for (const each of faults) this.#add(each.pointer, each.message);
    if (fault !== undefined) this.#add(at, fault);
    else if (treatment === 'schema' || (treatment === 'schema-or-flag' && isObject(value))) this.schema(value, at);
    else if (treatment === 'schema-list' || treatment === 'schemas') {
      const isAlternative = keyword === 'anyOf' || keyword === 'oneOf';
      for (const [name, inner] of Object.entries(value as object))
        if (!(isAlternative && isOnlyNull(inner))) this.schema(inner, [...at, name]);
    }
  }

  /** Checks keywords that depend on each other. */
  #together(schema: Schema, pointer: Pointer): void {
    const types = typesOf(schema);
    if (typeof schema.format === 'string') {
      const fault = formatFault(schema.format, types);
      if (fault !== undefined) this.#add([...pointer, 'format'], fault);
    }
    for (const keyword of Object.keys(schema)) {
      const fault = typeFault(keyword, types);
      if (fault !== undefined) this.#add([...pointer, keyword], fault);
    }
    if (notesKey in schema && schema['x-kubernetes-group-version-kind'] === undefined)
      this.#add([...pointer, notesKey], 'is of kinds, which have x-kubernetes-group-version-kind');
    this.#patch(schema, pointer, types);
    this.#bounds(schema, pointer);
    for (const name of ['enum', 'const', 'default'] as const) {
      const value = (schema as Readonly<Record<string, unknown>>)[name];
      const isNull = value === null || (Array.isArray(value) && name === 'enum' && value.includes(null));
      if (!isNull) continue;
      if (name !== 'enum') this.#add([...pointer, name], 'null stands for an absent value');
      else if (!isNullable(schema)) this.#add([...pointer, name], 'null is among the values, but is not allowed');
    }
    this.#lists(schema, pointer, types);
  }

  #patch(schema: Schema, pointer: Pointer, types: readonly string[]): void {
    const strategy = schema['x-kubernetes-patch-strategy'];
    const key = schema['x-kubernetes-patch-merge-key'];
    const add = (keyword: string, fault: string): void => this.#add([...pointer, keyword], fault);
    const parts = typeof strategy === 'string' ? strategy.split(',') : [];
    if (!parts.every((part) => ['merge', 'replace', 'retainKeys'].includes(part)))
      add('x-kubernetes-patch-strategy', 'must be merge, replace, retainKeys, or two of them with a comma');
    const isScalar = types.length > 0 && !types.includes('array') && !types.includes('object');
    if (parts.length > 0 && isScalar) add('x-kubernetes-patch-strategy', 'is of lists and objects');
    if (key === undefined) return;
    if (!parts.includes('merge')) add('x-kubernetes-patch-merge-key', 'is of lists whose patch strategy is merge');
    const { properties } = schema.items ?? {};
    if (properties !== undefined && !Object.hasOwn(properties, key)) add('x-kubernetes-patch-merge-key', `the items have no ${key}`);
  }

  /** In OpenAPI 3.0, an exclusive bound is a flag of a bound; in 3.1, it is a number. */
  #bounds(schema: Schema, pointer: Pointer): void {
    for (const [exclusive, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (schema[exclusive] === true && schema[bound] === undefined)
        this.#add([...pointer, exclusive], `is true, but there is no ${bound}`);
    }
  }

  #lists(schema: Schema, pointer: Pointer, types: readonly string[]): void {
    const listType = schema['x-kubernetes-list-type'];
    const keys = schema['x-kubernetes-list-map-keys'];
    const mapType = schema['x-kubernetes-map-type'];
    const add = (keyword: string, fault: string): void => this.#add([...pointer, keyword], fault);
    if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) add('x-kubernetes-list-type', 'must be atomic, set or map');
    if (listType !== undefined && !types.includes('array')) add('x-kubernetes-list-type', 'is of lists');
    if (mapType !== undefined && !['atomic', 'granular'].includes(mapType)) add('x-kubernetes-map-type', 'must be atomic or granular');
    if (listType === 'map' && (keys ?? []).length === 0)
      add('x-kubernetes-list-type', 'is map, but x-kubernetes-list-map-keys has no keys');
    if (keys !== undefined && listType !== 'map') add('x-kubernetes-list-map-keys', 'is of lists whose type is map');
    if (types.includes('array') && schema.items === undefined) this.#add(pointer, 'is a list without items');
  }

  #add(pointer: Pointer, message: string): void {
    this.isHonoured = false;
    this.#problems.add(this.#file, pointer, message);
  }
}

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

export const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : Array.isArray(type) ? (type as readonly string[]) : [type];

/** Reports whether a schema allows only null: in OpenAPI 3.1, an alternative. */
export const isOnlyNull = (schema: Schema): boolean => typesOf(schema).join() === 'null';

/** Reports whether null is allowed: `nullable` in OpenAPI 3.0, the type `null` in 3.1. */
const isNullable = (schema: Schema): boolean =>
  schema.nullable === true || typesOf(schema).includes('null') || (schema as { 'x-nullable'?: unknown })['x-nullable'] === true;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

const shapes: Readonly<Partial<Record<ValueKind, readonly [is: (value: unknown) => boolean, what: string]>>> = {
  values: [(value) => Array.isArray(value) && value.length > 0, 'must be a list of values'],
  text: [isText, 'must be a string'],
  format: [isText, 'must be a string'],
  texts: [(value) => Array.isArray(value) && value.every(isText), 'must be a list of names'],
  flag: [(value) => typeof value === 'boolean', 'must be true or false'],
  number: [(value) => typeof value === 'number', 'must be a number'],
  count: [isCount, 'must be a number of 0 or more'],
  bound: [(value) => typeof value === 'boolean' || typeof value === 'number', 'must be true, false or a number'],
  type: [
    (value) => {
      const types = Array.isArray(value) ? value : [value];
      return types.length > 0 && types.every((type) => typeNames.includes(type as string)) && isOneType(types);
    },
    `must be one of ${typeNames.join(', ')}, which may stand with null, or integer with string`,
  ],
  discriminator: [isObject, 'is a string, as in Swagger 2.0, where it means subtypes: write oneOf'],
  ref: [(value) => isText(value) && refPattern.test(value), 'must name a schema of the document'],
  schemas: [isObject, 'must be an object of schemas'],
  'schema-list': [(value) => Array.isArray(value) && value.length > 0, 'must be a list of schemas'],
  'schema-or-flag': [(value) => typeof value === 'boolean' || isObject(value), 'must be a schema, true or false'],
};

/** Reports whether the types make one Kubernetes type: a single type, one beside null, or int-or-string. */
function isOneType(types: readonly unknown[]): boolean {
  const others = types.filter((type) => type !== 'null').sort();
  return others.length === 1 || ['integer,string', 'integer,number'].includes(others.join());
}

/** The shapes of values that have members. */
const settings: Readonly<Partial<Record<ValueKind, Shape>>> = {
  rules: listOf(
    exactly({ rule: text, message: text, messageExpression: text, reason: text, fieldPath: text, optionalOldSelf: flag }, 'rule'),
  ),
  notes: resourceNotes,
};

function faultOf(kind: ValueKind, value: unknown): string | undefined {
  const [is, what] = shapes[kind] ?? [() => true, ''];
  return is(value) ? undefined : what;
}
