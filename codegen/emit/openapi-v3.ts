import { httpMethods, type OpenApiDocument, type Operation, type Parameter, type PathItem } from '../load/openapi.ts';
import { mapSchema } from './openapi-document.ts';

/**
 * The document served for a group-version: the input without prose, under this release's name. Descriptions of
 * responses stay, since OpenAPI requires them.
 */
export function serveV3(document: OpenApiDocument, release: string): OpenApiDocument {
  return {
    openapi: document.openapi,
    info: { title: document.info.title, version: documentVersion(release) },
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, pathItem(item)])),
    components: {
      schemas: Object.fromEntries(
        Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
          name,
          mapSchema(schema, withoutProse),
        ]),
      ),
      securitySchemes: document.components?.securitySchemes ?? {
        BearerToken: {
          description: 'Bearer Token authentication',
          in: 'header',
          name: 'authorization',
          type: 'apiKey',
        },
      },
    },
  };
}

/** The version in a document: the first patch release of a minor release, as v1.35.0 for v1.35. */
function documentVersion(release: string): string {
  return /^v\d+\.\d+$/.test(release) ? `${release}.0` : release;
}

function withoutProse<T extends object>(object: T): T {
  if (typeof (object as { description?: unknown }).description !== 'string') return object;
  const { description: _, ...rest } = object as T & { description: string };
  return rest as unknown as T;
}

function pathItem(item: PathItem): PathItem {
  const out: Record<string, unknown> = {};
  if (item.parameters) out.parameters = item.parameters.map(parameter);
  for (const method of httpMethods) {
    const operation = item[method];
    if (operation) out[method] = operationWithoutProse(operation);
  }
  return out;
}

function operationWithoutProse(operation: Operation): Operation {
  const plain = withoutProse(operation);
  return plain.parameters ? { ...plain, parameters: plain.parameters.map(parameter) } : plain;
}

const parameter = (each: Parameter): Parameter => withoutProse(each);
