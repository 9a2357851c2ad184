import {
  httpMethods,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
  withKindsOf,
} from '../load/openapi.ts';
import { mapSchema } from './openapi-document.ts';
import { shareParameters } from './shared-parameters.ts';

type Value = Readonly<Record<string, unknown>>;

/**
 * Returns the Swagger 2.0 document of /openapi/v2 for all v3 documents, as kube-apiserver builds it: without defaults
 * (kube-openapi pkg/handler/default_pruning.go), with `$ref` not wrapped in allOf, and with shared parameters.
 */
export function serveV2(documents: readonly OpenApiDocument[]): object {
  const components = new Map<string, Schema>();
  const paths: Record<string, Value> = {};
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
      components.set(name, withKindsOf(components.get(name) ?? schema, schema) ?? components.get(name) ?? schema);
    for (const [path, item] of Object.entries(document.paths)) paths[path] = swaggerPath(path, item);
  }
  const parameters = shareParameters(paths);
  const definitions = Object.fromEntries([...components].map(([name, schema]) => [name, mapSchema(schema, swaggerSchema)]));
  return {
    swagger: '2.0',
    info: documents[0]?.info,
    paths: sorted(paths),
    definitions: sorted(definitions),
    parameters,
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function swaggerSchema(schema: Schema): Schema {
  const { default: _, oneOf, allOf, ...rest } = schema as Schema & Record<string, unknown>;
  const [only, ...others] = Array.isArray(allOf) ? (allOf as Schema[]) : [];
  if (only && others.length === 0 && typeof only.$ref === 'string') return { ...rest, $ref: only.$ref };
  if (typeof rest.$ref === 'string') return { ...rest, $ref: rest.$ref.replace('#/components/schemas/', '#/definitions/') };
  // Swagger has no unions: quantities and int-or-strings become strings.
  if (Array.isArray(oneOf) && rest.type === undefined) return { ...rest, type: 'string' };
  return allOf === undefined ? rest : { ...rest, allOf };
}

function swaggerPath(path: string, item: PathItem): Value {
  const out: Record<string, unknown> = {};
  for (const method of httpMethods) {
    const operation = item[method];
    if (operation) out[method] = swaggerOperation(operation, path);
  }
  if (item.parameters) out.parameters = item.parameters.map(swaggerParameter);
  return out;
}

/** Upstream's order. */
const mediaTypeOrder = [
  'text/plain',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

function swaggerOperation(operation: Operation, path: string): Value {
  const { operationId, tags, parameters, requestBody, responses, description, ...extensions } = operation;
  const produces = inOrder(Object.values(responses ?? {}).flatMap((response) => Object.keys(response.content ?? {})));
  const content = Object.entries(requestBody?.content ?? {});
  const body = content.find(([, { schema }]) => schema)?.[1].schema;
  const bodyParameter = body && {
    name: 'body',
    in: 'body',
    ...(requestBody?.required ? { required: true } : {}),
    schema: mapSchema(body, swaggerSchema),
  };
  const all = [...(bodyParameter ? [bodyParameter] : []), ...(parameters ?? []).map(swaggerParameter)];
  return {
    ...(description === undefined ? {} : { description }),
    consumes: consumedBy(path, Object.keys(requestBody?.content ?? {}), produces),
    produces,
    schemes: ['https'],
    ...(tags ? { tags } : {}),
    operationId,
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: Object.fromEntries(
      Object.entries(responses ?? {}).map(([code, { description: meaning, content: answers }]) => {
        const schema = Object.values(answers ?? {}).find((answer) => answer.schema)?.schema;
        return [code, { description: meaning, ...(schema ? { schema: mapSchema(schema, swaggerSchema) } : {}) }];
      }),
    ),
    ...extensions,
  };
}

/**
 * An operation without a body consumes any type. The operation that lists resources, whose path ends with a slash,
 * consumes the types that it produces.
 */
function consumedBy(path: string, mediaTypes: readonly string[], produces: readonly string[]): readonly string[] {
  if (mediaTypes.length > 0) return inOrder(mediaTypes);
  return path.endsWith('/') ? produces : ['*/*'];
}

const inOrder = (mediaTypes: readonly string[]): string[] => [...new Set(mediaTypes)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));

function rank(mediaType: string): number {
  const index = mediaTypeOrder.indexOf(mediaType);
  return index === -1 ? mediaTypeOrder.length : index;
}

/** Members are in Go's order, on which the names of shared parameters depend. */
function swaggerParameter({ name, in: place, required, description, schema = {} }: Parameter): Value {
  const { type, format, uniqueItems } = schema;
  return {
    ...(uniqueItems === undefined ? {} : { uniqueItems }),
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description }),
    name,
    in: place,
    ...(required ? { required } : {}),
  };
}
