import { readFile } from 'node:fs/promises';
import type { Catalog, GroupVersionCatalog, OpenApiMembers, OpenApiPart } from '../machinery/catalog.ts';
import { formatGroupVersion, type GroupVersion } from '../machinery/gvk.ts';

/**
 * Restricts a catalog to some of its resources. Group-versions without resources are not served. OpenAPI documents are
 * restricted when they are read.
 */
export function restrictCatalog(
  catalog: Catalog,
  includes: (groupVersion: GroupVersion, resource: string) => boolean,
): Catalog {
  const { openapiV2, ...rest } = catalog;
  return {
    ...rest,
    groupVersions: catalog.groupVersions.flatMap((each) =>
      restricted(each, openapiV2, (resource) => includes(each, resource)),
    ),
  };
}

function restricted(
  groupVersion: GroupVersionCatalog,
  openapiV2: string | undefined,
  includes: (resource: string) => boolean,
): GroupVersionCatalog[] {
  const resources = groupVersion.resources.filter(({ resource }) => includes(resource));
  if (resources.length === 0) return [];
  const { openapi, load, ...rest } = groupVersion;
  return [
    {
      ...rest,
      resources,
      load: async () => (await load()).filter(({ resource }) => includes(resource)),
      ...(openapi && { schemasFile: openapi.file, openapiParts: [partOf(groupVersion, openapi, openapiV2, includes)] }),
    },
  ];
}

function partOf(
  groupVersion: GroupVersionCatalog,
  { file, hash }: { readonly file: string; readonly hash: string },
  openapiV2: string | undefined,
  includes: (resource: string) => boolean,
): OpenApiPart {
  const { group } = groupVersion;
  const root = group === '' ? `/api/${groupVersion.version}/` : `/apis/${formatGroupVersion(groupVersion)}/`;
  const includesPath = (path: string): boolean =>
    path.startsWith(root) && includes(resourceOf(path.slice(root.length)));
  return {
    state: hash,
    async v3() {
      const { paths, components } = JSON.parse(await readFile(file, 'utf8')) as V3Document;
      return membersOf(paths, components?.schemas ?? {}, includesPath);
    },
    async v2() {
      if (openapiV2 === undefined) return { paths: new Map(), schemas: new Map() };
      const { paths, definitions } = JSON.parse(await readFile(openapiV2, 'utf8')) as V2Document;
      return membersOf(paths, definitions ?? {}, includesPath);
    },
  };
}

interface V3Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

interface V2Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions?: Readonly<Record<string, unknown>>;
}

/** The resource of a path: pods of `watch/namespaces/{namespace}/pods/{name}`, namespaces of `namespaces/{name}/status`. */
function resourceOf(path: string): string {
  const parts = path.replace(/^watch\//, '').split('/');
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2]);
  return (inNamespace ? parts[2] : parts[0]) || 'namespaces';
}

/** The included paths, and the schemas that they refer to. */
function membersOf(
  paths: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, unknown>>,
  includesPath: (path: string) => boolean,
): OpenApiMembers {
  const includedPaths = new Map(
    Object.entries(paths)
      .filter(([path]) => includesPath(path))
      .map(([path, item]) => [path, JSON.stringify(item)] as const),
  );
  const includedSchemas = new Map<string, string>();
  const addReferences = (text: string): void => {
    for (const [, name] of text.matchAll(/"\$ref":"#\/(?:components\/schemas|definitions)\/([^"]+)"/g)) {
      if (includedSchemas.has(name) || !Object.hasOwn(schemas, name)) continue;
      const schema = JSON.stringify(schemas[name]);
      includedSchemas.set(name, schema);
      addReferences(schema);
    }
  };
  for (const text of includedPaths.values()) addReferences(text);
  return { paths: includedPaths, schemas: includedSchemas };
}
