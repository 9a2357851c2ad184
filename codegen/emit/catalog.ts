import type { ApiModel, GroupVersionModel } from '../model/model.ts';
import { text } from '../print/literal.ts';
import { importDefinitions } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';
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
 * The OpenAPI documents are JSON files; runtime/machinery/openapi-folder says where they are looked for.
 */
export function emitCatalog(model: ApiModel, files: OpenApiFiles, context: EmitContext): string {
  const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
  const meta = model.groupVersions.find(({ folder }) => folder === 'meta/v1');
  return [
    context.header,
    files.v3.size === 0 ? '' : "import { join } from 'node:path';\n",
    importDefinitions(context.runtime, 'machinery/catalog.ts', ['type Catalog']),
    files.v3.size === 0 ? '\n' : documents(model, context),
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

function documents(model: ApiModel, context: EmitContext): string {
  return `${importDefinitions(context.runtime, 'machinery/openapi-folder.ts', ['openapiFolder'])}
const folder = openapiFolder(import.meta.url, ${text(model.release)});
const openapi = (file: string): string => join(folder, file);

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
