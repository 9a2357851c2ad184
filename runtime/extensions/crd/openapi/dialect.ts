/** How OpenAPI 2 and 3 write the same things. */
export interface Dialect {
  readonly version: 2 | 3;
  /** A reference to a schema by its name. */
  ref(name: string): Json;
  /** A reference that stands in a property. */
  property(name: string): Json;
  parameter(name: string, place: 'path' | 'query', type: string): Json;
  /** Members of an operation that takes a body. */
  body(schema: string, mediaTypes: readonly string[], required: boolean): Json;
  response(description: string, schema: string, mediaTypes: readonly string[]): Json;
  /** Members that every operation has. */
  operation(consumes: readonly string[], produces: readonly string[]): Json;
}

export type Json = Record<string, unknown>;

export const v3Dialect: Dialect = {
  version: 3,
  ref: (name) => ({ $ref: `#/components/schemas/${name}` }),
  property: (name) => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] }),
  parameter: (name, place, type) => ({
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  }),
  body: (schema, mediaTypes, required) => ({
    requestBody: { content: contentOf(schema, mediaTypes), ...(required ? { required } : {}) },
  }),
  response: (description, schema, mediaTypes) => ({ description, content: contentOf(schema, mediaTypes) }),
  operation: () => ({}),
};

function contentOf(schema: string, mediaTypes: readonly string[]): Json {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: v3Dialect.ref(schema) }]));
}

export const v2Dialect: Dialect = {
  version: 2,
  ref: (name) => ({ $ref: `#/definitions/${name}` }),
  property: (name) => ({ $ref: `#/definitions/${name}` }),
  parameter: (name, place, type) => ({
    name,
    in: place,
    type,
    uniqueItems: true,
    ...(place === 'path' ? { required: true } : {}),
  }),
  body: (schema, _mediaTypes, required) => ({
    parameters: [{ name: 'body', in: 'body', ...(required ? { required } : {}), schema: v2Dialect.ref(schema) }],
  }),
  response: (description, schema) => ({ description, schema: v2Dialect.ref(schema) }),
  operation: (consumes, produces) => ({ consumes, produces, schemes: ['https'] }),
};
