import {
  httpMethods,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
} from '../load/openapi.ts';
import { mapSchema } from './openapi-document.ts';

type Value = Readonly<Record<string, unknown>>;

/**
 * The Swagger 2.0 document of all v3 documents served, as kube-apiserver serves it at /openapi/v2: without defaults (kube-
 * openapi pkg/handler/default_pruning.go), with `$ref` not wrapped in allOf, and with shared parameters for those that
 * several operations have (pkg/builder/parameters.go).
 */
export function serveV2(documents: readonly OpenApiDocument[]): object {
  const definitions: Record<string, Schema> = {};
  const paths: Record<string, Value> = {};
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
      definitions[name] ??= mapSchema(schema, swaggerSchema);
    for (const [path, item] of Object.entries(document.paths)) paths[path] = swaggerPath(item);
  }
  const parameters = shareParameters(paths);
  return {
    swagger: '2.0',
    info: documents[0].info,
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
  if (typeof rest.$ref === 'string')
    return { ...rest, $ref: rest.$ref.replace('#/components/schemas/', '#/definitions/') };
  // Swagger has no unions: quantities and int-or-strings are strings there.
  if (Array.isArray(oneOf) && rest.type === undefined) return { ...rest, type: 'string' };
  return allOf === undefined ? rest : { ...rest, allOf };
}

function swaggerPath(item: PathItem): Value {
  const out: Record<string, unknown> = {};
  for (const method of httpMethods) {
    const operation = item[method];
    if (operation) out[method] = swaggerOperation(operation);
  }
  if (item.parameters) out.parameters = item.parameters.map(swaggerParameter);
  return out;
}

/** Upstream's order. */
const mediaTypeOrder = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/cbor-seq',
];

function swaggerOperation(operation: Operation): Value {
  const { operationId, tags, parameters, requestBody, responses, description, ...extensions } = operation;
  const produces = new Set(Object.values(responses ?? {}).flatMap((response) => Object.keys(response.content ?? {})));
  const content = Object.entries(requestBody?.content ?? {});
  const body = content.find(([, { schema }]) => schema)?.[1].schema;
  const all = [
    ...(parameters ?? []).map(swaggerParameter),
    ...(body
      ? [
          {
            in: 'body',
            name: 'body',
            ...(requestBody?.required ? { required: true } : {}),
            schema: mapSchema(body, swaggerSchema),
          },
        ]
      : []),
  ];
  return {
    ...(description === undefined ? {} : { description }),
    consumes: content.length === 0 ? ['*/*'] : content.map(([mediaType]) => mediaType),
    produces: [...produces].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)),
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

function rank(mediaType: string): number {
  const index = mediaTypeOrder.indexOf(mediaType);
  return index === -1 ? mediaTypeOrder.length : index;
}

function swaggerParameter({ name, in: place, required, description, schema = {} }: Parameter): Value {
  const { type, format, uniqueItems } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(uniqueItems === undefined ? {} : { uniqueItems }),
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    name,
    in: place,
    ...(required ? { required } : {}),
  };
}

/**
 * Replaces parameters that appear more than once by references, in place, and returns what the references point to.
 * `fieldValidation` and `dryRun` are not shared: old versions of kubectl look for them in the operation itself.
 */
function shareParameters(paths: Record<string, Value>): Value {
  const shared = new Map<string, string>();
  const counts = new Map<string, number>();
  const lists: { holder: Record<string, unknown>; parameters: Value[] }[] = [];
  for (const item of Object.values(paths)) {
    for (const holder of [item, ...httpMethods.map((method) => item[method])] as (
      | Record<string, unknown>
      | undefined
    )[]) {
      if (!holder || !Array.isArray(holder.parameters)) continue;
      lists.push({ holder, parameters: holder.parameters });
      for (const parameter of holder.parameters as Value[]) {
        const key = JSON.stringify(parameter);
        if (isShared(parameter)) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const keys = [...counts].filter(([, count]) => count > 1).map(([key]) => key);
  const taken = new Map<string, number>();
  for (const key of keys.sort()) {
    const { name } = JSON.parse(key) as { name: string };
    const nth = (taken.get(name) ?? 0) + 1;
    taken.set(name, nth);
    shared.set(key, nth === 1 ? name : `${name}-${nth}`);
  }
  for (const { holder, parameters } of lists)
    holder.parameters = parameters.map((parameter) => {
      const name = shared.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/parameters/${name}` };
    });
  return sorted(Object.fromEntries([...shared].map(([key, name]) => [name, JSON.parse(key)])));
}

function isShared({ in: place, name, schema }: Value): boolean {
  if (name === 'name' || name === 'fieldValidation' || name === 'dryRun') return false;
  if (place !== 'body') return true;
  const ref = (schema as { $ref?: string } | undefined)?.$ref ?? '';
  return ref.startsWith('#/definitions/io.k8s.apimachinery');
}
