import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The group of the test controls, as every language has it. */
export interface Model {
  readonly types: readonly ObjectType[];
  readonly kinds: readonly Kind[];
}

export interface Kind {
  readonly name: string;
  /** Its resource: `faultplans`. */
  readonly resource: string;
}

export interface ObjectType {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly description: string;
  readonly type: Type;
  readonly required: boolean;
}

/** A named type is one of the model's; `object` is one without members; `metadata` and `conditions` are those of Kubernetes. */
export type Type =
  | { readonly is: 'text' | 'int32' | 'int64' | 'boolean' | 'time' | 'object' | 'metadata' | 'condition' }
  | { readonly is: 'choice'; readonly values: readonly string[] }
  | { readonly is: 'list'; readonly of: Type }
  | { readonly is: 'named'; readonly name: string };

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly 'x-kubernetes-group-version-kind'?: { readonly kind: string } } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document that the server itself serves. */
const source = fileURLToPath(new URL('../../generated/testing/openapi/v3/apis/testing.kubeloom.dev/v1alpha1.json', import.meta.url));
const prefix = 'dev.kubeloom.testing.v1alpha1.';

export function readModel(): Model {
  const { paths, components }: Document = JSON.parse(readFileSync(source, 'utf8'));
  const kinds = Object.entries(paths).flatMap(([path, { post }]) => {
    const name = post?.['x-kubernetes-group-version-kind']?.kind;
    return name === undefined ? [] : [{ name, resource: path.slice(path.lastIndexOf('/') + 1) }];
  });
  const types = Object.entries(components.schemas)
    .filter(([name]) => name.startsWith(prefix) && !name.endsWith('List'))
    .map(([name, schema]) => typeOf(name.slice(prefix.length), schema));
  return { types, kinds };
}

function typeOf(name: string, { description = '', properties = {}, required = [] }: Schema): ObjectType {
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    description: schema.description ?? '',
    type: fieldType(schema),
    required: required.includes(field),
  }));
  return { name, description, fields };
}

function fieldType(schema: Schema): Type {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return referenced(reference.slice(reference.lastIndexOf('/') + 1));
  if (schema.enum !== undefined) return { is: 'choice', values: schema.enum };
  if (schema.type === 'array') return { is: 'list', of: fieldType(schema.items ?? {}) };
  if (schema.type === 'integer') return { is: schema.format === 'int64' ? 'int64' : 'int32' };
  if (schema.type === 'boolean') return { is: 'boolean' };
  return { is: schema.type === 'object' ? 'object' : 'text' };
}

function referenced(name: string): Type {
  if (name.startsWith(prefix)) return { is: 'named', name: name.slice(prefix.length) };
  if (name.endsWith('.MicroTime')) return { is: 'time' };
  if (name.endsWith('.ObjectMeta')) return { is: 'metadata' };
  if (name.endsWith('.Condition')) return { is: 'condition' };
  throw new Error(`the kits have no type for ${name}`);
}

/** The fields that every kind has beside its own. */
export const isCommon = ({ name }: Field): boolean => ['apiVersion', 'kind', 'metadata'].includes(name);

/** What each generated file begins with. */
export const banner = 'Generated from the OpenAPI of testing.kubeloom.dev. Do not edit: run make kits.';
