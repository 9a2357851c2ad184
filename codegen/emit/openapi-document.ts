import { createHash } from 'node:crypto';

/** The parts of an OpenAPI 3.0 document that Kubernetes uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, unknown>>;
  };
}

export type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

export type PathItem = { readonly parameters?: readonly Parameter[] } & {
  readonly [method in HttpMethod]?: Operation;
};

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>>; readonly required?: boolean };
  readonly responses: Readonly<Record<string, Response>>;
  readonly [extension: `x-${string}`]: unknown;
}

export interface Parameter {
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
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** Schema Object; unknown keys are kept as they are. */
export type Schema = { readonly [keyword: string]: unknown };

export const httpMethods: readonly HttpMethod[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Compact JSON with a line of its own for each path, schema and shared parameter: small, and still readable in a diff. */
export function documentText(document: object): string {
  const parts = Object.entries(document).map(([key, value]) => `${JSON.stringify(key)}:${section(key, value)}`);
  return `{\n${parts.join(',\n')}\n}\n`;
}

/** Sections whose entries get lines; `components` has two of them. */
const listed = new Set(['paths', 'schemas', 'definitions', 'parameters']);

function section(key: string, value: unknown): string {
  if (key === 'components') return documentText(value as object).trimEnd();
  if (!listed.has(key)) return JSON.stringify(value);
  const entries = Object.entries(value as object).map(
    ([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`,
  );
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}`;
}

/** What upstream puts into the URLs of /openapi/v3: the sha512 of the bytes, in upper-case hex. */
export function documentHash(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

/** Keywords that hold a schema, and those that hold schemas by name or in a row. */
const schemaKeywords = new Set(['items', 'additionalProperties', 'not']);
const schemaMaps = new Set(['properties', 'patternProperties', 'definitions']);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);

/** Rebuilds a schema from the leaves up; `change` sees each schema after its parts. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (schemaKeywords.has(keyword) && isSchema(value)) out[keyword] = mapSchema(value, change);
    else if (schemaMaps.has(keyword) && isSchema(value))
      out[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, mapSchema(part as Schema, change)]),
      );
    else if (schemaLists.has(keyword) && Array.isArray(value))
      out[keyword] = value.map((part) => mapSchema(part as Schema, change));
    else out[keyword] = value;
  }
  return change(out);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
