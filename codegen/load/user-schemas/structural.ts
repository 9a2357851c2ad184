import type { SpecialName } from '../../model/model.ts';
import { refOf, type Schema } from '../openapi.ts';
import type { ProblemList } from '../schema-errors.ts';
import { impliedType, specialOf } from '../type-refs.ts';
import { keywordNames, treatmentOf } from './keywords.ts';
import { isKubernetes } from './kubernetes.ts';
import { mapValues } from './schema-map.ts';

const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const intOrString: Schema = { 'x-kubernetes-int-or-string': true };
const quantity: Schema = { ...intOrString, pattern: quantityPattern };
const open: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
const openObject: Schema = { type: 'object', ...open };

/** The schemas of types with their own JSON form, as controller-gen writes them. */
const specialSchemas: Readonly<Record<SpecialName, Schema>> = {
  Quantity: quantity,
  IntOrString: intOrString,
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Duration: { type: 'string' },
  RawExtension: openObject,
  FieldsV1: openObject,
  JSON: open,
  JSONSchemaPropsOrBool: open,
  JSONSchemaPropsOrArray: open,
  JSONSchemaPropsOrStringArray: open,
  Verbs: { type: 'array', items: { type: 'string' } },
  Unknown: open,
};

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Keywords that say nothing about values. */
const dropped = new Set([
  ...keywordNames.filter((name) => treatmentOf(name) === 'prose'),
  '$ref',
  'allOf',
  'discriminator',
  'x-kubernetes-group-version-kind',
]);

/**
 * Writes the schema of a kind in the form of a CustomResourceDefinition: without references, in the keywords of
 * apiextensions.k8s.io/v1. The schema keeps members that only its alternatives name, and all members of objects for
 * which the document lists none.
 */
export class StructuralSchemas {
  readonly #components: (id: string) => Schema | undefined;
  readonly #problems: ProblemList;

  /** @param components looks up composed components */
  constructor(components: (id: string) => Schema | undefined, problems: ProblemList) {
    this.#components = components;
    this.#problems = problems;
  }

  /** Returns the schema of a kind. Recursive schemas are a problem, as in a CustomResourceDefinition. */
  ofKind(id: string, file: string): Schema {
    const converter = new Converter(this.#components, (problem, of = id) =>
      this.#problems.add(file, ['components', 'schemas', of], problem),
    );
    const { properties, ...root } = converter.convert(this.#components(id) ?? {}, [id]);
    const metadata = refOf(this.#components(id)?.properties?.metadata) === objectMeta;
    const text: Schema = { type: 'string' };
    return {
      ...root,
      type: 'object',
      properties: {
        ...properties,
        apiVersion: text,
        kind: text,
        ...(metadata || !properties?.metadata ? { metadata: { type: 'object' } } : {}),
      },
    };
  }
}

class Converter {
  readonly #components: (id: string) => Schema | undefined;
  /** @param id the component with the problem. Default: the kind's */
  readonly #report: (problem: string, id?: string) => void;

  constructor(components: (id: string) => Schema | undefined, report: (problem: string, id?: string) => void) {
    this.#components = components;
    this.#report = report;
  }

  /** @param path the ids of the components around the schema */
  convert(schema: Schema, path: readonly string[]): Schema {
    const id = refOf(schema);
    return id === undefined ? this.#value(schema, path) : this.#reference(id, schema, path);
  }

  /** Converts an alternative. It states members or items without requiring that the value be an object or a list. */
  #alternative(schema: Schema, path: readonly string[]): Schema {
    const converted = this.convert(schema, path);
    for (const keyword of withoutEffect(converted))
      this.#report(`${keyword} has no effect in the alternatives of ${path.join(' -> ')}`, path.at(-1));
    const { type: implied, 'x-kubernetes-preserve-unknown-fields': _, ...rest } = converted;
    const type = refOf(schema) === undefined ? schema.type : implied;
    return type === undefined ? rest : { type, ...rest };
  }

  #reference(id: string, schema: Schema, path: readonly string[]): Schema {
    const beside = withoutDropped(schema);
    const special = specialOf(id);
    if (special !== undefined) return { ...specialSchemas[special], ...beside };
    const target = this.#components(id);
    if (path.includes(id)) {
      // a recursive type of Kubernetes: JSONSchemaProps
      if (!isKubernetes(id))
        this.#report(`a schema cannot contain itself: ${[...path.slice(path.indexOf(id)), id].join(' -> ')}`, path.at(-1));
      return { ...openObject, ...beside };
    }
    if (target === undefined) return openObject;
    const found = this.convert(target, [...path, id]);
    return { ...(isKubernetes(id) ? withoutZeros(found) : found), ...withoutObjectDefault(beside, id) };
  }

  #value(schema: Schema, path: readonly string[]): Schema {
    const each = (list: readonly Schema[]): Schema[] => list.map((inner) => this.#alternative(inner, path));
    const { properties, items, additionalProperties, anyOf, oneOf, allOf, not } = schema;
    const junctors: Schema = {
      ...(allOf && { allOf: each(allOf) }),
      ...(anyOf && { anyOf: each(anyOf) }),
      ...(oneOf && { oneOf: each(oneOf) }),
      ...(not && { not: this.#alternative(not, path) }),
    };
    const converted: Schema = {
      ...withoutDropped(schema),
      ...(properties && { properties: mapValues(properties, (inner) => this.convert(inner as Schema, path)) }),
      ...(items && { items: this.convert(items, path) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.convert(additionalProperties, path),
      }),
      ...junctors,
    };
    const inside = [...(junctors.allOf ?? []), ...(junctors.anyOf ?? []), ...(junctors.oneOf ?? [])];
    if (junctors.not) inside.push(junctors.not);
    return inside.reduce(keepingMembersOf, withOpenness(withFormat(withType(withNull(converted)))));
  }
}

/** Keywords that do more than check a value. Alternatives may only check, so that these have no effect there. */
const structuralKeywords = [
  'default',
  'x-kubernetes-validations',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
];

/** Returns the keywords of an alternative that would be ignored, at any depth. */
function withoutEffect(schema: Schema): Set<string> {
  const found = new Set(structuralKeywords.filter((keyword) => keyword in schema));
  const { properties = {}, items, additionalProperties } = schema;
  const inside = [...Object.values(properties), ...(items ? [items] : [])];
  if (typeof additionalProperties === 'object') inside.push(additionalProperties);
  for (const inner of inside) for (const keyword of withoutEffect(inner)) found.add(keyword);
  return found;
}

const withoutDropped = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.has(keyword) && treatmentOf(keyword) !== 'prose'));

/** Drops `default: {}` beside a reference to a Kubernetes struct: Go writes this zero value anyway. */
function withoutObjectDefault(beside: Schema, id: string): Schema {
  const { default: value, ...rest } = beside;
  return isKubernetes(id) && JSON.stringify(value) === '{}' ? rest : beside;
}

/** Fields of Kubernetes whose default is a zero value are not required: Go writes the value. */
function withoutZeros(schema: Schema): Schema {
  const { properties = {}, required = [] } = schema;
  const zeros = new Set(Object.entries(properties).flatMap(([name, property]) => (isZero(property.default) ? [name] : [])));
  return {
    ...schema,
    ...(schema.properties && {
      properties: mapValues(properties, (property) => {
        const { default: value, ...rest } = property as Schema;
        return isZero(value) ? rest : (property as Schema);
      }),
    }),
    ...(schema.required && { required: required.filter((name) => !zeros.has(name)) }),
  };
}

const isZero = (value: unknown): boolean => ['""', '0', 'false', '{}'].includes(JSON.stringify(value) ?? '');

/**
 * Moves an enum with null into `allOf`, without the null. `enum` beside `nullable` would check null; `allOf` does not.
 */
function withNull(schema: Schema): Schema {
  const { enum: values, allOf = [], ...rest } = schema;
  if (!schema.nullable || !values?.includes(null)) return schema;
  return { ...rest, allOf: [...allOf, { enum: values.filter((value) => value !== null) }] };
}

function withType(schema: Schema): Schema {
  const type = schema.type ?? impliedType(schema);
  return type === undefined || schema['x-kubernetes-int-or-string'] ? schema : { type, ...schema };
}

const maxInt32 = 2 ** 31 - 1;

function withFormat(schema: Schema): Schema {
  const { format, type, ...rest } = schema;
  if (format === 'int-or-string') return { ...rest, ...intOrString };
  if (format === 'quantity') return { ...quantity, ...rest };
  if (format !== 'int32') return rest['x-kubernetes-int-or-string'] ? rest : schema;
  const { minimum = -maxInt32 - 1, maximum = maxInt32 } = schema;
  return { ...schema, minimum: Math.max(minimum, -maxInt32 - 1), maximum: Math.min(maximum, maxInt32) };
}

/** Sets which members an object keeps: the listed members, or all if the document lists none or says so. */
function withOpenness(schema: Schema): Schema {
  const { additionalProperties, 'x-kubernetes-preserve-unknown-fields': preserve, ...rest } = schema;
  if (additionalProperties === true) return { ...rest, ...open };
  // unknown members are kept so that validation can refuse them
  if (additionalProperties === false) return { ...rest, additionalProperties, ...open };
  if (typeof additionalProperties === 'object') return { ...schema };
  const isListed = schema.properties !== undefined || schema.items !== undefined;
  const isScalar = schema.type !== undefined && schema.type !== 'object';
  const isTyped = isListed || isScalar || schema['x-kubernetes-int-or-string'] === true;
  return preserve || !isTyped ? { ...rest, ...open } : rest;
}

/** Keeps members that an alternative names and the schema itself does not. */
function keepingMembersOf(schema: Schema, alternative: Schema): Schema {
  const named = Object.entries(alternative.properties ?? {});
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  let result = schema;
  if (!isOpen && alternative.additionalProperties !== undefined && schema.additionalProperties === undefined) {
    result = { ...result, ...open };
  }
  for (const [name, inner] of named) {
    const known = result.properties?.[name];
    if (known !== undefined) result = { ...result, properties: { ...result.properties, [name]: keepingMembersOf(known, inner) } };
    else if (result.additionalProperties === undefined) result = { ...result, ...open };
  }
  if (alternative.items && result.items) result = { ...result, items: keepingMembersOf(result.items, alternative.items) };
  return result;
}
