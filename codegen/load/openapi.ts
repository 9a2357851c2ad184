import type { ListType, MapType } from '../model/model.ts';

/** The parts of an OpenAPI 3.0 document that Kubernetes uses. Unknown keys are kept. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly [section: string]: unknown;
  };
  readonly [extension: string]: unknown;
}

export const httpMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type HttpMethod = (typeof httpMethods)[number];
export const isHttpMethod = (key: string): key is HttpMethod => httpMethods.some((method) => method === key);

export type PathItem = { readonly parameters?: readonly Parameter[] } & {
  readonly [method in HttpMethod]?: Operation;
};

export interface Operation {
  readonly operationId?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>>; readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Response>>;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Parameter {
  /** If set, the parameter is a reference and has no other members. */
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface MediaType {
  readonly schema?: Schema;
}

export interface Response {
  readonly description?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** The parts of a Schema Object that the model uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** A flag in OpenAPI 3.0, a number in OpenAPI 3.1. */
  readonly exclusiveMinimum?: boolean | number;
  readonly exclusiveMaximum?: boolean | number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
  readonly 'x-kubernetes-list-type'?: ListType;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: MapType;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly object[];
  readonly 'x-kubernetes-unions'?: readonly {
    readonly discriminator?: string;
    readonly 'fields-to-discriminateBy'?: Readonly<Record<string, string>>;
  }[];
}

const prefix = '#/components/schemas/';

/**
 * Returns the component that a schema refers to, directly or through the one-element `allOf` that carries a default.
 */
export function refOf(schema: Schema | undefined): string | undefined {
  const [only, ...others] = schema?.allOf ?? [];
  const ref = schema?.$ref ?? (others.length === 0 ? only?.$ref : undefined);
  return typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}

const kindsKey = 'x-kubernetes-group-version-kind';

/**
 * Returns the first component with the kinds of the second, if the two differ in nothing else. As of v1.36,
 * DeleteOptions and WatchEvent have in each document only the kinds of its own group-version.
 */
export function withKindsOf(one: Schema, other: Schema): Schema | undefined {
  if (one[kindsKey] === undefined || other[kindsKey] === undefined) return one === other ? one : undefined;
  const kinds = new Map([...one[kindsKey], ...other[kindsKey]].map((gvk) => [JSON.stringify(gvk), gvk]));
  const united = [...kinds.values()].sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
  const isSame = JSON.stringify({ ...one, [kindsKey]: [] }) === JSON.stringify({ ...other, [kindsKey]: [] });
  return isSame ? { ...one, [kindsKey]: united } : undefined;
}

const orderOf = ({ group, version, kind }: GroupVersionKind): string => `${group} ${version} ${kind}`;
