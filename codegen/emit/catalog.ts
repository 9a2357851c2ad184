import type { ApiModel, GroupVersionModel } from '../model/model.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { listLiteral, literal, objectBlock } from '../print/literal.ts';
import { resourceFacts } from './resources.ts';

/** The files written for /openapi: names below the openapi folder, and the hashes of the v3 documents. */
export interface OpenApiFiles {
  /** The v3 documents by folder of the group-version. */
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
      ['openapiV2', files.v2 === undefined ? undefined : `openapi.path(${literal(files.v2)})`],
    ]),
  });
  return file.print();
}

/** Adds `openapi`, the folder with the documents. */
function addDocuments(file: GeneratedFile, release: string): void {
  const folder = file.runtime('machinery/openapi-folder.ts', 'OpenApiFolder');
  file.addConstant({
    name: 'openapi',
    initializer: `new ${folder}(import.meta.url, ${literal(release)})`,
    isExported: false,
  });
}

function entry(groupVersion: GroupVersionModel, files: OpenApiFiles): string {
  const { group, version, folder, resources } = groupVersion;
  const openapi = files.v3.get(folder);
  return objectBlock([
    ['group', literal(group)],
    ['version', literal(version)],
    ['resources', listLiteral(resources.map((resource) => literal(resourceFacts(resource))))],
    ['load', load(groupVersion, 'resources')],
    ['openapi', openapi && `openapi.v3(${literal(openapi.file)}, ${literal(openapi.hash)})`],
  ]);
}

const load = ({ folder }: GroupVersionModel, name: string): string =>
  `async () => (await import(${literal(`./${folder}/resources.ts`)})).${name}`;
