import type { ApiModel, GroupVersionModel } from '../model/model.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { listLiteral, literal, objectBlock, objectLiteral } from '../print/literal.ts';
import { resourceFacts } from './resources.ts';

/** The files written for /openapi: names below the openapi folder, and the hashes of the v3 documents. */
export interface OpenApiFiles {
  /** By folder of the group-version. */
  readonly v3: ReadonlyMap<string, { readonly file: string; readonly hash: string }>;
  readonly v2?: string;
}

/**
 * The entry of the generated code: the facts of every resource as plain data, everything else behind dynamic imports.
 * The OpenAPI documents are JSON files, found by runtime/machinery/openapi-folder.
 */
export function emitCatalog(model: ApiModel, files: OpenApiFiles, context: FileContext): string {
  const file = new GeneratedFile(model, '.', context);
  const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
  const meta = model.groupVersions.find(({ folder }) => folder === 'meta/v1');
  if (files.v3.size > 0) addDocuments(file, model.release);
  file.addConstant({
    name: 'catalog',
    type: file.runtime('machinery/catalog.ts', 'type Catalog'),
    initializer: objectBlock([
      ['release', literal(model.release)],
      ['groupVersions', listLiteral(served.map((groupVersion) => entry(groupVersion, files)))],
      ['loadMeta', meta ? load(meta, 'types') : 'async () => ({})'],
      ['openapiV2', files.v2 === undefined ? undefined : document(files.v2)],
    ]),
  });
  return file.print();
}

/** Adds `openapi`, a function from the name of a document to its path. */
function addDocuments(file: GeneratedFile, release: string): void {
  const openapiFolder = file.runtime('machinery/openapi-folder.ts', 'openapiFolder');
  const join = file.local('node:path', 'join');
  file.addConstant({
    name: 'folder',
    initializer: `${openapiFolder}(import.meta.url, ${literal(release)})`,
    isExported: false,
  });
  file.addConstant({
    name: 'openapi',
    initializer: `(file: string): string => ${join}(folder, file)`,
    isExported: false,
  });
}

const document = (file: string): string => `openapi(${literal(file)})`;

function entry(groupVersion: GroupVersionModel, files: OpenApiFiles): string {
  const { group, version, folder, resources } = groupVersion;
  const openapi = files.v3.get(folder);
  return objectBlock([
    ['group', literal(group)],
    ['version', literal(version)],
    ['resources', listLiteral(resources.map((resource) => literal(resourceFacts(resource))))],
    ['load', load(groupVersion, 'resources')],
    [
      'openapi',
      openapi &&
        objectLiteral([
          ['file', document(openapi.file)],
          ['hash', literal(openapi.hash)],
        ]),
    ],
  ]);
}

const load = ({ folder }: GroupVersionModel, name: string): string =>
  `async () => (await import(${literal(`./${folder}/resources.ts`)})).${name}`;
