import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { stringifyJson } from '../../../codec/json.ts';
import type { OpenApiMembers, OpenApiPart } from '../../../machinery/catalog.ts';
import { getSchemaForVersion } from '../api-helpers.ts';
import { type OpenAPIDialect, v2Dialect, v3Dialect } from './dialect.ts';
import { buildPaths } from './paths.ts';
import { listSchema, modelName, objectSchema } from './schema.ts';
import { toStructuralOpenAPIV2 } from './v2-conversion.ts';

/**
 * Returns the part of the OpenAPI documents that describes one served version. (pkg/controller/openapi/builder)
 *
 * @param state changes with the definition
 * @param read returns the definition, undefined after its deletion
 */
export function buildOpenAPI(state: string, version: string, read: () => CustomResourceDefinition | undefined): OpenApiPart {
  // the v2 document has the parts of all definitions and is rebuilt when one of them changes
  let v2: OpenApiMembers | undefined;
  return {
    state: `${state} ${version}`,
    v3: async () => buildMembers(read(), version, v3Dialect),
    async v2() {
      v2 ??= buildMembers(read(), version, v2Dialect);
      return v2;
    },
  };
}

function buildMembers(crd: CustomResourceDefinition | undefined, name: string, dialect: OpenAPIDialect): OpenApiMembers {
  const version = crd?.spec.versions.find((one) => one.name === name);
  if (crd === undefined || version === undefined) return { paths: new Map(), schemas: new Map() };
  const schema = getSchemaForVersion(crd, version);
  const object = objectSchema(crd, version, dialect.version === 2 ? schema && toStructuralOpenAPIV2(schema) : schema, dialect);
  const { kind, listKind = '' } = crd.spec.names;
  const { paths, parameters } = buildPaths(crd, version, dialect);
  return {
    paths: new Map([...paths].map(([path, item]) => [path, stringifyJson(item)])),
    parameters,
    schemas: new Map([
      [modelName(crd, version, kind), stringifyJson(object)],
      [modelName(crd, version, listKind), stringifyJson(listSchema(crd, version, dialect))],
    ]),
  };
}
