import type { ApiModel, GroupVersionModel } from '../model/model.ts';
import type { EmitContext } from './context.ts';
import { text } from './literal.ts';
import { resourceFacts } from './resources.ts';

/** What was written for /openapi: file names below the openapi folder, and the hashes of the v3 ones. */
export interface OpenApiFiles {
  /** By folder of the group-version. */
  readonly v3: ReadonlyMap<string, { readonly file: string; readonly hash: string }>;
  readonly v2?: string;
}

/**
 * The entry of the generated code: facts of every resource as plain data, everything else behind dynamic imports.
 *
 * The OpenAPI documents are JSON files beside the catalog's source. A build that compiles to another folder does
 * not copy them: there the catalog looks for them where the sources are, at generated/<release>/openapi of the
 * package that the compiled file belongs to.
 */
export function emitCatalog(model: ApiModel, files: OpenApiFiles, context: EmitContext): string {
  const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
  const meta = model.groupVersions.find(({ folder }) => folder === 'meta/v1');
  return [
    context.header,
    "import { existsSync } from 'node:fs';\nimport { fileURLToPath } from 'node:url';\n",
    `import type { Catalog } from '${context.runtime}/machinery/catalog.ts';\n\n`,
    openapiFolder(model.release),
    `export const catalog: Catalog = {\n  release: ${text(model.release)},\n  groupVersions: [\n`,
    ...served.map((groupVersion) => entry(groupVersion, files)),
    '  ],\n',
    meta
      ? `  async loadMeta() {\n    return (await import('./${meta.folder}/resources.ts')).types;\n  },\n`
      : '  async loadMeta() {\n    return {};\n  },\n',
    files.v2 === undefined ? '' : `  openapiV2: openapi(${text(files.v2)}),\n`,
    '};\n',
  ].join('');
}

function openapiFolder(release: string): string {
  return `const beside = new URL('./openapi/', import.meta.url);
const atSource = new URL(${text(`../../../generated/${release}/openapi/`)}, import.meta.url);
const openapiFolder = existsSync(beside) ? beside : atSource;

function openapi(file: string): string {
  return fileURLToPath(new URL(file, openapiFolder));
}

`;
}

function entry(groupVersion: GroupVersionModel, files: OpenApiFiles): string {
  const { group, version, folder, resources } = groupVersion;
  const document = files.v3.get(folder);
  return [
    `    {\n      group: ${text(group)},\n      version: ${text(version)},\n`,
    `      resources: [\n${resources.map((resource) => `        ${text(resourceFacts(resource))},\n`).join('')}      ],\n`,
    `      async load() {\n        return (await import('./${folder}/resources.ts')).resources;\n      },\n`,
    document ? `      openapi: { file: openapi(${text(document.file)}), hash: ${text(document.hash)} },\n` : '',
    '    },\n',
  ].join('');
}
