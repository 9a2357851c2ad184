import { refOf, type Schema } from '../openapi.ts';
import type { ProblemList } from '../schema-errors.ts';
import { specialOf } from '../type-refs.ts';
import { MergeConflict, mergeSchemas } from './merge-schemas.ts';
import { mapValues } from './schema-map.ts';

const refPrefix = '#/components/schemas/';

/** Keywords beside a reference that do not change its type. */
const besideRef = new Set([
  'allOf',
  'default',
  'description',
  'title',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'externalDocs',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
]);

/** The look-up of components in all documents. */
export interface Components {
  get(id: string): Schema | undefined;
  /** Reports whether a component has its own type. Other components are written out at each reference. */
  isStruct(id: string): boolean;
}

/**
 * Brings schemas into the form from which types are built. References to components that are not objects (a string with
 * an enum) are written out, and `allOf` schemas are merged. References to objects stay.
 */
export class Composer {
  readonly #components: Components;
  readonly #problems: ProblemList;
  readonly #file: string;

  constructor(components: Components, file: string, problems: ProblemList) {
    this.#components = components;
    this.#file = file;
    this.#problems = problems;
  }

  /** Composes a component. It has its own type, even if it only refers to another one. */
  component(id: string, schema: Schema): Schema {
    const pointer = ['components', 'schemas', id];
    if (!this.#isReference(schema)) return this.compose(schema, pointer, [id]);
    const { $ref, allOf = [], ...own } = schema;
    return this.#merge(own, [...($ref === undefined ? [] : [{ $ref }]), ...allOf], pointer, [id]);
  }

  /** @param path the ids of the components that are being written out */
  compose(schema: Schema, pointer: readonly string[], path: readonly string[]): Schema {
    const at = (...steps: readonly string[]): readonly string[] => [...pointer, ...steps];
    if (this.#isReference(schema)) return schema;
    const { $ref, allOf = [], ...own } = schema;
    const { properties, items, additionalProperties, anyOf, oneOf, not } = own;
    const each = (list: readonly Schema[], name: string): Schema[] =>
      list.map((inner, index) => this.compose(inner, at(name, `${index}`), path));
    const composed: Schema = {
      ...own,
      ...(properties && {
        properties: mapValues(properties, (inner, name) => this.compose(inner as Schema, at('properties', name), path)),
      }),
      ...(items && { items: this.compose(items, at('items'), path) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.compose(additionalProperties, at('additionalProperties'), path),
      }),
      ...(anyOf && { anyOf: each(anyOf, 'anyOf') }),
      ...(oneOf && { oneOf: each(oneOf, 'oneOf') }),
      ...(not && { not: this.compose(not, at('not'), path) }),
    };
    const parts = [...($ref === undefined ? [] : [{ $ref }]), ...allOf];
    if (parts.length === 0) return composed;
    return this.#merge(composed, parts, pointer, path);
  }

  /** Reports whether a schema is a reference to an object, alone or in Kubernetes' form with a default. */
  #isReference(schema: Schema): boolean {
    const id = refOf(schema);
    if (id === undefined || !(specialOf(id) !== undefined || this.#components.isStruct(id))) return false;
    const { $ref, ...rest } = schema;
    return $ref !== undefined && Object.keys(rest).length === 0 ? true : Object.keys(rest).every((key) => besideRef.has(key));
  }

  #merge(own: Schema, parts: readonly Schema[], pointer: readonly string[], path: readonly string[]): Schema {
    const values = parts.map((part) => this.#valueOf(part, pointer, path));
    const open = [own, ...values].filter(({ additionalProperties }) => additionalProperties !== undefined);
    if (open.length > 0 && values.some(({ properties }) => properties)) {
      this.#problems.add(this.#file, pointer, 'additionalProperties and allOf do not go together: each part allows only its own');
      return own;
    }
    try {
      // keywords beside the parts, such as defaults, win
      const merged = values.reduce(mergeSchemas);
      const { nullable, ...rest } = mergeSchemas(merged, own);
      const allowsNull = own.nullable === true || (own.type === undefined && merged.nullable === true);
      return allowsNull ? { ...rest, nullable: true } : rest;
    } catch (error) {
      if (!(error instanceof MergeConflict)) throw error;
      this.#problems.add(this.#file, pointer, `no value is valid for all of allOf: ${error.message}`);
      return own;
    }
  }

  /** Returns a part of a composition, with its reference written out. */
  #valueOf(part: Schema, pointer: readonly string[], path: readonly string[]): Schema {
    const id = part.$ref?.slice(refPrefix.length);
    if (id === undefined) return this.compose(part, pointer, path);
    const target = this.#components.get(id);
    // another check reports dangling references
    if (target === undefined) return {};
    if (path.includes(id)) {
      this.#problems.add(this.#file, pointer, `${id} consists of itself`);
      return {};
    }
    const { 'x-kubernetes-group-version-kind': _, ...value } = this.compose(target, pointer, [...path, id]);
    const { $ref: __, ...beside } = part;
    const whole = this.#isReference(value) ? this.#valueOf({ $ref: `${refPrefix}${refOf(value)}` }, pointer, [...path, id]) : value;
    return Object.keys(beside).length === 0 ? whole : mergeSchemas(whole, this.compose(beside, pointer, path));
  }
}
