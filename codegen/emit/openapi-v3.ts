import { httpMethods, type OpenApiDocument, type Operation, type Parameter, type PathItem } from '../load/openapi.ts';
import { mapSchema } from './openapi-document.ts';

/**
 * The document served for a group-version: the input's facts under this release's name, without prose. Descriptions
 * of responses stay, since OpenAPI wants one.
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

/** "v1.35" is a line of releases; the document is of its first. */
export function documentVersion(release: string): string {
  return /^v\d+\.\d+$/.test(release) ? `${release}.0` : release;
}

export function withoutProse<T extends object>(object: T): T {
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
