/** How a version of OpenAPI writes what both versions can express. */
export interface OpenAPIDialect {
  readonly version: 2 | 3;
  /** A reference to a schema by name. */
  ref(name: string): OpenAPIObject;
  /** A reference as the type of a property. */
  property(name: string): OpenAPIObject;
  parameter(name: string, location: 'path' | 'query', type: string): OpenAPIObject;
  /** Members of an operation with a body. */
  body(schema: string, mediaTypes: readonly string[], required: boolean): OpenAPIObject;
  response(description: string, schema: string, mediaTypes: readonly string[]): OpenAPIObject;
  /** Members of every operation. */
  operation(consumes: readonly string[], produces: readonly string[]): OpenAPIObject;
}

/** A part of an OpenAPI document. */
export type OpenAPIObject = Record<string, unknown>;

export const v3Dialect: OpenAPIDialect = {
  version: 3,
  ref: (name) => ({ $ref: `#/components/schemas/${name}` }),
  property: (name) => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] }),
  parameter: (name, location, type) => ({
    name,
    in: location,
    ...(location === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  }),
  body: (schema, mediaTypes, required) => ({
    requestBody: { content: contentOf(schema, mediaTypes), ...(required ? { required } : {}) },
  }),
  response: (description, schema, mediaTypes) => ({ description, content: contentOf(schema, mediaTypes) }),
  operation: () => ({}),
};

function contentOf(schema: string, mediaTypes: readonly string[]): OpenAPIObject {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: v3Dialect.ref(schema) }]));
}

export const v2Dialect: OpenAPIDialect = {
  version: 2,
  ref: (name) => ({ $ref: `#/definitions/${name}` }),
  property: (name) => ({ $ref: `#/definitions/${name}` }),
  parameter: (name, location, type) => ({
    name,
    in: location,
    type,
    uniqueItems: true,
    ...(location === 'path' ? { required: true } : {}),
  }),
  body: (schema, _mediaTypes, required) => ({
    parameters: [{ name: 'body', in: 'body', ...(required ? { required } : {}), schema: v2Dialect.ref(schema) }],
  }),
  response: (description, schema) => ({ description, schema: v2Dialect.ref(schema) }),
  operation: (consumes, produces) => ({ consumes, produces, schemes: ['https'] }),
};
