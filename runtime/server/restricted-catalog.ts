import { readFile } from 'node:fs/promises';
import type { Catalog, GroupVersionCatalog, OpenApiMembers, OpenApiPart } from '../machinery/catalog.ts';
import { formatGroupVersion, type GroupVersion } from '../machinery/gvk.ts';

/**
 * The catalog with some of its resources only; a group-version of which none is left is not served. Its OpenAPI documents
 * are cut to what is left when they are read.
 */
export function restrictCatalog(
  catalog: Catalog,
  isKept: (groupVersion: GroupVersion, resource: string) => boolean,
): Catalog {
  const { openapiV2, ...rest } = catalog;
  return {
    ...rest,
    groupVersions: catalog.groupVersions.flatMap((each) =>
      restricted(each, openapiV2, (resource) => isKept(each, resource)),
    ),
  };
}

function restricted(
  groupVersion: GroupVersionCatalog,
  openapiV2: string | undefined,
  isKept: (resource: string) => boolean,
): GroupVersionCatalog[] {
  const resources = groupVersion.resources.filter(({ resource }) => isKept(resource));
  if (resources.length === 0) return [];
  const { openapi, load, ...rest } = groupVersion;
  return [
    {
      ...rest,
      resources,
      load: async () => (await load()).filter(({ resource }) => isKept(resource)),
      ...(openapi && { schemasFile: openapi.file, openapiParts: [partOf(groupVersion, openapi, openapiV2, isKept)] }),
    },
  ];
}

function partOf(
  groupVersion: GroupVersionCatalog,
  { file, hash }: { readonly file: string; readonly hash: string },
  openapiV2: string | undefined,
  isKept: (resource: string) => boolean,
): OpenApiPart {
  const { group } = groupVersion;
  const root = group === '' ? `/api/${groupVersion.version}/` : `/apis/${formatGroupVersion(groupVersion)}/`;
  const isPathKept = (path: string): boolean => path.startsWith(root) && isKept(resourceOf(path.slice(root.length)));
  return {
    state: hash,
    async v3() {
      const { paths, components } = JSON.parse(await readFile(file, 'utf8')) as V3Document;
      return membersOf(paths, components?.schemas ?? {}, isPathKept);
    },
    async v2() {
      if (openapiV2 === undefined) return { paths: new Map(), schemas: new Map() };
      const { paths, definitions } = JSON.parse(await readFile(openapiV2, 'utf8')) as V2Document;
      return membersOf(paths, definitions ?? {}, isPathKept);
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

/** `watch/namespaces/{namespace}/pods/{name}` is about pods, `namespaces/{name}/status` about namespaces. */
function resourceOf(path: string): string {
  const parts = path.replace(/^watch\//, '').split('/');
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2]);
  return (inNamespace ? parts[2] : parts[0]) || 'namespaces';
}

/** The kept paths, and the schemas that they reach. */
function membersOf(
  paths: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, unknown>>,
  isPathKept: (path: string) => boolean,
): OpenApiMembers {
  const keptPaths = new Map(
    Object.entries(paths)
      .filter(([path]) => isPathKept(path))
      .map(([path, item]) => [path, JSON.stringify(item)] as const),
  );
  const keptSchemas = new Map<string, string>();
  const reach = (text: string): void => {
    for (const [, name] of text.matchAll(/"\$ref":"#\/(?:components\/schemas|definitions)\/([^"]+)"/g)) {
      if (keptSchemas.has(name) || !Object.hasOwn(schemas, name)) continue;
      const schema = JSON.stringify(schemas[name]);
      keptSchemas.set(name, schema);
      reach(schema);
    }
  };
  for (const text of keptPaths.values()) reach(text);
  return { paths: keptPaths, schemas: keptSchemas };
}
