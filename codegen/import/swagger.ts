import { isObject } from '../load/json.ts';
import { reachable } from '../load/normal-form/form.ts';
import { isHttpMethod, type OpenApiDocument, type Schema } from '../load/openapi.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { ImportError } from './source.ts';

interface Swagger {
  readonly swagger: string;
  readonly info?: Readonly<Record<string, unknown>>;
  readonly paths?: Readonly<Record<string, Item>>;
  readonly definitions?: Readonly<Record<string, Item>>;
  readonly parameters?: Readonly<Record<string, Item>>;
  readonly securityDefinitions?: Readonly<Record<string, unknown>>;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
}

type Item = Readonly<Record<string, unknown>>;

export const isSwaggerDocument = (value: unknown): value is Swagger => isObject(value) && value.swagger === '2.0';

/** Converts a Swagger 2.0 document to OpenAPI v3, with all of its paths and schemas. */
export function openApiOfSwagger(swagger: Swagger): OpenApiDocument {
  const definitions = Object.entries(swagger.definitions ?? {});
  return {
    openapi: '3.0.0',
    info: swagger.info ?? { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(
      Object.entries(swagger.paths ?? {}).map(([path, item]) => [path, convertItem(item, swagger)]),
    ) as OpenApiDocument['paths'],
    components: {
      schemas: Object.fromEntries(definitions.map(([id, definition]) => [id, convertSchema(definition) as Schema])),
    },
  };
}

/** Returns a document for each group-version, by file name. Paths outside of group-versions are left out. */
export function splitSwagger(input: unknown): Map<string, OpenApiDocument> {
  const swagger = input as Swagger;
  if (swagger?.swagger !== '2.0') throw new ImportError('not a Swagger 2.0 document: it lacks "swagger": "2.0"');
  const schemas = new Map(Object.entries(swagger.definitions ?? {}).map(([id, definition]) => [id, convertSchema(definition) as Schema]));
  const paths = new Map<string, [string, object][]>();
  for (const [path, item] of Object.entries(swagger.paths ?? {})) {
    const place = parseResourcePath(path);
    if (!place) continue;
    const { group, version } = place;
    const name = group === '' ? `api/${version}.json` : `apis/${group}/${version}.json`;
    paths.set(name, [...(paths.get(name) ?? []), [path, convertItem(item, swagger)]]);
  }
  if (paths.size === 0) throw new ImportError('no path of the document is one of Kubernetes: /apis/<group>/<version>/...');
  return new Map([...paths].map(([name, items]) => [name, documentOf(items, schemas, swagger)]));
}

function documentOf(
  items: readonly (readonly [string, object])[],
  schemas: ReadonlyMap<string, Schema>,
  swagger: Swagger,
): OpenApiDocument {
  const used = [...reachable(items, (id) => schemas.get(id))].sort();
  return {
    openapi: '3.0.0',
    info: swagger.info ?? { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(items) as OpenApiDocument['paths'],
    components: {
      schemas: Object.fromEntries(used.map((id) => [id, schemas.get(id) ?? {}])),
      ...(swagger.securityDefinitions ? { securitySchemes: swagger.securityDefinitions } : {}),
    },
  };
}

function convertItem(item: Item, swagger: Swagger): object {
  const shared = parametersOf(item, swagger);
  const body = shared.find(isBody);
  return Object.fromEntries(
    Object.entries(item).flatMap(([key, value]): [string, unknown][] => {
      if (isHttpMethod(key)) return [[key, convertOperation(value as Item, body, swagger)]];
      if (key !== 'parameters') return [[key, value]];
      const rest = shared.filter((parameter) => !isBody(parameter));
      return rest.length > 0 ? [[key, rest.map(convertParameter)]] : [];
    }),
  );
}

function convertOperation(operation: Item, sharedBody: Item | undefined, swagger: Swagger): object {
  const { consumes = swagger.consumes, produces = swagger.produces, schemes: _, parameters: __, responses, ...rest } = operation;
  const own = parametersOf(operation, swagger);
  const body = own.find(isBody) ?? sharedBody;
  const plain = own.filter((parameter) => !isBody(parameter)).map(convertParameter);
  return {
    ...rest,
    ...(plain.length > 0 ? { parameters: plain } : {}),
    ...(body ? { requestBody: requestBody(body, consumes as string[] | undefined) } : {}),
    responses: Object.fromEntries(
      Object.entries((responses as Item | undefined) ?? {}).map(([code, response]) => [
        code,
        convertResponse(response as Item, produces as string[] | undefined),
      ]),
    ),
  };
}

const isBody = (parameter: Item): boolean => parameter.in === 'body';

/** Returns the parameters, with references to the document's shared ones resolved. */
function parametersOf({ parameters }: Item, swagger: Swagger): Item[] {
  return ((parameters as Item[] | undefined) ?? []).map((parameter) => {
    const name = typeof parameter.$ref === 'string' ? parameter.$ref.replace(/^#\/parameters\//, '') : undefined;
    return name === undefined ? parameter : (swagger.parameters?.[name] ?? parameter);
  });
}

function requestBody({ schema, required, description }: Item, consumes: readonly string[] = ['*/*']): object {
  return {
    ...(description === undefined ? {} : { description }),
    content: contentOf(schema, consumes),
    ...(required ? { required } : {}),
  };
}

function convertResponse({ schema, ...rest }: Item, produces: readonly string[] = ['*/*']): object {
  return schema === undefined ? rest : { ...rest, content: contentOf(schema, produces) };
}

const contentOf = (schema: unknown, types: readonly string[]): object =>
  Object.fromEntries(types.map((type) => [type, { schema: convertSchema(schema) }]));

const schemaKeys = new Set([
  'type',
  'format',
  'items',
  'default',
  'enum',
  'minimum',
  'maximum',
  'pattern',
  'uniqueItems',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** OpenAPI v3 has the type of a parameter in a schema. */
function convertParameter(parameter: Item): object {
  const { collectionFormat: _, ...plain } = parameter;
  const entries = Object.entries(plain);
  const schema = Object.fromEntries(entries.filter(([key]) => schemaKeys.has(key)));
  return { ...Object.fromEntries(entries.filter(([key]) => !schemaKeys.has(key))), schema };
}

/** Converts references to v3. A reference with other keywords beside it becomes an `allOf`, since v3 ignores these. */
function convertSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as Item;
  const converted = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, convertSchema(item)]));
  if (typeof $ref !== 'string') return $ref === undefined ? converted : { $ref: convertSchema($ref), ...converted };
  const pointer = { $ref: $ref.replace(/^#\/definitions\//, '#/components/schemas/') };
  const { description, ...facts } = converted;
  if (Object.keys(facts).length === 0) return pointer;
  return { ...(description === undefined ? {} : { description }), ...facts, allOf: [pointer] };
}
