import { defined } from '../../../machinery/json/defined.ts';

/** One version of OpenAPI, for facts that both versions can express. */
export interface OpenAPIDialect {
  readonly version: 2 | 3;
  /** A reference to a schema by name. */
  ref(name: string): OpenAPIObject;
  /** Returns a reference with further members of the property. */
  property(name: string, rest?: OpenAPIObject): OpenAPIObject;
  parameter(parameter: ParameterFacts): OpenAPIObject;
  /** Members of an operation with a body. */
  body(schema: string, mediaTypes: readonly string[], required: boolean): OpenAPIObject;
  response(description: string, schema: string, mediaTypes: readonly string[]): OpenAPIObject;
  /** Members of every operation. */
  operation(consumes: readonly string[], produces: readonly string[]): OpenAPIObject;
}

/** A part of an OpenAPI document. */
export type OpenAPIObject = Record<string, unknown>;

export interface ParameterFacts {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: string;
  readonly description?: string;
}

export const v3Dialect: OpenAPIDialect = {
  version: 3,
  ref: (name) => ({ $ref: `#/components/schemas/${name}` }),
  property: (name, rest) => ({ ...rest, allOf: [v3Dialect.ref(name)] }),
  parameter: ({ type, ...rest }) => ({ ...rest, ...required(rest.in), schema: { type, uniqueItems: true } }),
  body: (schema, mediaTypes, isRequired) => ({
    requestBody: { content: contentOf(schema, mediaTypes), ...(isRequired ? { required: true } : {}) },
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
  property: (name, rest) => ({ ...rest, ...v2Dialect.ref(name) }),
  // in Go's order, on which the names of shared parameters depend
  parameter: ({ type, description, name, in: place }) => ({
    uniqueItems: true,
    type,
    ...defined({ description }),
    name,
    in: place,
    ...required(place),
  }),
  body: (schema, _mediaTypes, isRequired) => ({
    parameters: [{ name: 'body', in: 'body', ...(isRequired ? { required: true } : {}), schema: v2Dialect.ref(schema) }],
  }),
  response: (description, schema) => ({ description, schema: v2Dialect.ref(schema) }),
  operation: (consumes, produces) => ({ consumes, produces, schemes: ['https'] }),
};

const required = (location: ParameterFacts['in']): OpenAPIObject => (location === 'path' ? { required: true } : {});
