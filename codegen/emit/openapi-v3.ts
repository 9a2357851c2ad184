import { isObject, mapMembers } from '../load/json.ts';
import type { OpenApiDocument } from '../load/openapi.ts';
import type { ApiModel } from '../model/model.ts';
import { withEnums } from './openapi-enums.ts';

/**
 * Returns the served document of a group-version: the input under this release's name, with the values of enums, and
 * without the media types of CBOR. Upstream writes its documents with all alpha features.
 */
export function serveV3(document: OpenApiDocument, model: Pick<ApiModel, 'release' | 'types'>): OpenApiDocument {
  const { schemas = {}, securitySchemes = { BearerToken: bearerToken } } = document.components ?? {};
  return {
    openapi: document.openapi,
    info: { title: document.info.title, version: documentVersion(model.release) },
    paths: withoutCbor(document.paths),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withEnums(schema, model.types.get(name))])),
      securitySchemes,
    },
  };
}

const bearerToken = {
  description: 'Bearer Token authentication',
  in: 'header',
  name: 'authorization',
  type: 'apiKey',
};

/** CBORServingAndStorage is off by default. */
function withoutCbor(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  const isServed = ([mediaType]: [string, unknown]): boolean => !/^application\/(?:.*\+)?cbor/.test(mediaType);
  return mapMembers(paths, (member, key) =>
    key === 'content' && isObject(member) ? Object.fromEntries(Object.entries(member).filter(isServed)) : member,
  );
}

/** Returns the version in a document: the emulated one, 1.35 for v1.35. */
function documentVersion(release: string): string {
  return /^v\d+\.\d+$/.test(release) ? release.slice(1) : release;
}
