import { readDocument, sectionOf } from '../../endpoints/discovery/openapi-file.ts';
import { v2Members } from '../../endpoints/discovery/openapi-v2.ts';
import type { Catalog, GroupVersionCatalog, OpenApiMembers, OpenApiPart } from '../../machinery/catalog.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersion, type GroupVersion } from '../../machinery/gvk.ts';

/**
 * Restricts a catalog to some of its resources. Group-versions without resources are not served. OpenAPI documents are
 * restricted when they are read.
 */
export function restrictCatalog(catalog: Catalog, includes: (groupVersion: GroupVersion, resource: string) => boolean): Catalog {
  const { openapiV2, ...rest } = catalog;
  return {
    ...rest,
    groupVersions: catalog.groupVersions.flatMap((each) => restricted(each, openapiV2, (resource) => includes(each, resource))),
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
  const includesPath = (path: string): boolean => path.startsWith(root) && includes(resourceOf(path.slice(root.length)));
  return {
    state: hash,
    async v3() {
      const document = await readDocument(file, new TimeSlice());
      return selected({ paths: sectionOf(document, 'paths'), schemas: sectionOf(document, 'components.schemas') }, includesPath);
    },
    async v2() {
      if (openapiV2 === undefined) return { paths: new Map(), schemas: new Map() };
      return selected(await v2Members(openapiV2, new TimeSlice()), includesPath);
    },
  };
}

/**
 * Returns the resource of a path: pods of `watch/namespaces/{namespace}/pods/{name}`, namespaces of
 * `namespaces/{name}/status`.
 */
function resourceOf(path: string): string {
  const parts = path.replace(/^watch\//, '').split('/');
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  return (inNamespace ? parts[2] : parts[0]) || 'namespaces';
}

/** Returns the included paths, with the schemas and parameters that they refer to. */
function selected({ paths, schemas, parameters = new Map() }: OpenApiMembers, includesPath: (path: string) => boolean): OpenApiMembers {
  const found = {
    paths: new Map([...paths].filter(([path]) => includesPath(path))),
    schemas: new Map<string, string>(),
    parameters: new Map<string, string>(),
  };
  const addReferences = (text: string): void => {
    for (const [, section, name = ''] of text.matchAll(references)) {
      const [from, to] = section === 'parameters' ? [parameters, found.parameters] : [schemas, found.schemas];
      const referredTo = from.get(name);
      if (referredTo === undefined || to.has(name)) continue;
      to.set(name, referredTo);
      addReferences(referredTo);
    }
  };
  for (const text of found.paths.values()) addReferences(text);
  return found;
}

const references = /"\$ref":"#\/(components\/schemas|definitions|parameters)\/([^"]+)"/g;
