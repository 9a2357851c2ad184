import type { OpenApiMembers, OpenApiPart } from '../../../machinery/catalog.ts';
import type { CustomResourceDefinition } from '../api-helpers.ts';
import { schemaOf } from '../serving/crd-info.ts';
import { type Dialect, v2Dialect, v3Dialect } from './dialect.ts';
import { pathsOf } from './paths.ts';
import { listSchema, modelName, objectSchema } from './schema.ts';
import { toStructuralOpenAPIV2 } from './v2-conversion.ts';

/**
 * What one served version of a definition adds to the OpenAPI documents. (pkg/controller/openapi/builder)
 *
 * @param state differs whenever the definition does
 * @param read the definition; undefined where it is gone
 */
export function buildOpenAPI(
  state: string,
  version: string,
  read: () => CustomResourceDefinition | undefined,
): OpenApiPart {
  // the one document that everybody is in is put together often
  let v2: OpenApiMembers | undefined;
  return {
    state: `${state} ${version}`,
    v3: async () => membersOf(read(), version, v3Dialect),
    async v2() {
      v2 ??= membersOf(read(), version, v2Dialect);
      return v2;
    },
  };
}

function membersOf(crd: CustomResourceDefinition | undefined, name: string, dialect: Dialect): OpenApiMembers {
  const version = crd?.spec.versions.find((one) => one.name === name);
  if (crd === undefined || version === undefined) return { paths: new Map(), schemas: new Map() };
  const own = schemaOf(crd, version);
  const object = objectSchema(crd, version, dialect.version === 2 ? own && toStructuralOpenAPIV2(own) : own, dialect);
  const { kind, listKind = '' } = crd.spec.names;
  return {
    paths: new Map([...pathsOf(crd, version, dialect)].map(([path, item]) => [path, JSON.stringify(item)])),
    schemas: new Map([
      [modelName(crd, version, kind), JSON.stringify(object)],
      [modelName(crd, version, listKind), JSON.stringify(listSchema(crd, version, dialect))],
    ]),
  };
}
