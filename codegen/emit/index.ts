import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocuments, type SourceDocument } from '../load/schemas-folder.ts';
import type { ApiModel, GroupVersionModel } from '../model/model.ts';
import { typesWithFunctions } from '../model/type-graph.ts';
import { checkReleaseName } from '../output/file-names.ts';
import { emptyFile, type FileContext, header } from '../print/generated-file.ts';
import { emitCatalog, type OpenApiFiles } from './catalog.ts';
import { emitClient } from './client.ts';
import { emitClientset } from './clientset.ts';
import { emitCodec } from './codec.ts';
import { emitDefaults } from './defaults.ts';
import { emitGroupEntry } from './group-entry.ts';
import { emitMerge } from './merge.ts';
import { documentHash, documentText } from './openapi-document.ts';
import { serveV2 } from './openapi-v2.ts';
import { serveV3 } from './openapi-v3.ts';
import { emitPrune } from './prune.ts';
import { emitResources } from './resources.ts';
import { emitSchemas, hasSchemas } from './schemas.ts';
import { emitTypes } from './types.ts';
import { emitValidate } from './validate.ts';
import { replaceFolder } from './write.ts';

export interface EmitOptions {
  /** The folder that `<release>/` is written to. */
  readonly out: string;
  /** The schemas folder of the model. Its OpenAPI documents are served. */
  readonly schemas: string;
  /**
   * The folder or package path that generated code imports the runtime from: `kubeloom/runtime`. Default: the runtime
   * beside this generator for code within its tree, the package elsewhere.
   */
  readonly runtimeImport?: string | undefined;
  /** Writes only types and the client. */
  readonly clientOnly?: boolean;
  /** Called before each step. `what` is a group-version: `apps/v1`. */
  readonly onProgress?: (step: { readonly done: number; readonly total: number; readonly what: string }) => void;
}

/**
 * Writes everything that is generated for a release:
 * `<out>/<release>/<folder>/{types,prune,defaults,validate,codec,merge,resources,client}.ts`, `catalog.ts`,
 * `client.ts`, `index.ts` and `openapi/`. Equal models give equal bytes. Removes files of earlier runs that are no
 * longer written, and touches no other file.
 *
 * @returns the number of files that changed
 */
export async function emitAll(model: ApiModel, options: EmitOptions): Promise<number> {
  checkReleaseName(model.release);
  const folder = join(resolve(options.out), model.release);
  const runtime = options.runtimeImport ?? defaultRuntime(folder);
  const files = new Map<string, string>();
  const total = model.groupVersions.length + 3;
  let done = 0;
  const step = async (what: string, work: () => void | Promise<void>): Promise<void> => {
    options.onProgress?.({ done, total, what });
    await work();
    done++;
  };
  for (const groupVersion of model.groupVersions)
    await step(groupVersion.folder, () => {
      const context = contextOf(join(folder, groupVersion.folder), runtime, model.release);
      const served = { ...groupVersion, types: typesWithFunctions(groupVersion, model) };
      for (const [name, emit] of Object.entries(options.clientOnly ? {} : serverEmitters)) {
        const text = emit(served, model, context);
        // kinds known by their schemas need few functions
        if (hasSchemas(groupVersion) && text.endsWith(emptyFile)) continue;
        files.set(`${groupVersion.folder}/${name}.ts`, text);
      }
      if (!options.clientOnly && hasSchemas(groupVersion))
        files.set(`${groupVersion.folder}/schemas.ts`, emitSchemas(served, model, context));
      files.set(`${groupVersion.folder}/types.ts`, emitTypes(groupVersion, model, context));
      if (groupVersion.served) files.set(`${groupVersion.folder}/client.ts`, emitClient(groupVersion, model, context));
    });
  let openapi: OpenApiFiles = { v3: new Map() };
  await step('openapi', async () => {
    if (!options.clientOnly) openapi = emitOpenApi(await readDocuments(options.schemas), model, files);
  });
  await step('catalog', () => {
    const context = contextOf(folder, runtime, model.release);
    files.set('client.ts', emitClientset(model, context));
    if (options.clientOnly) return;
    files.set('catalog.ts', emitCatalog(model, openapi, context));
    files.set('index.ts', emitGroupEntry(model, context));
  });
  let changed = 0;
  await step('format', async () => {
    changed = await replaceFolder(folder, files);
  });
  options.onProgress?.({ done, total, what: 'done' });
  return changed;
}

type Emitter = (groupVersion: GroupVersionModel, model: ApiModel, context: FileContext) => string;

/** The files of a group-version that only a server needs, by name. */
const serverEmitters: Readonly<Record<string, Emitter>> = {
  prune: emitPrune,
  defaults: emitDefaults,
  validate: emitValidate,
  codec: emitCodec,
  merge: emitMerge,
  resources: emitResources,
};

/** The source tree of this generator; undefined for compiled code. */
const ownTree = import.meta.url.endsWith('.ts') ? fileURLToPath(new URL('../../', import.meta.url)) : undefined;

function defaultRuntime(folder: string): string {
  return ownTree !== undefined && folder.startsWith(ownTree) ? join(ownTree, 'runtime') : 'kubeloom/runtime';
}

/**
 * @param folder the absolute folder of the file
 * @param runtime the folder of the runtime, or the package that has it
 */
function contextOf(folder: string, runtime: string, release: string): FileContext {
  const path = isAbsolute(runtime) || runtime.startsWith('.') ? relativePath(folder, resolve(runtime)) : runtime;
  return { header: header(`the schemas of ${release}`), runtime: path };
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join(posix.sep);
  return path.startsWith('.') ? path : `./${path}`;
}

function emitOpenApi(sources: readonly SourceDocument[], model: ApiModel, files: Map<string, string>): OpenApiFiles {
  const v3 = new Map<string, { file: string; hash: string }>();
  const served = sources.map(({ file, document }) => ({ file, document: serveV3(document, model) }));
  for (const { file, document } of served) {
    const groupVersion = model.groupVersions.find((each) => each.served && documentPath(each) === file);
    if (!groupVersion) continue;
    const text = documentText(document);
    const name = `v3/${documentPath(groupVersion).slice('openapi/'.length)}`;
    files.set(`openapi/${name}`, text);
    v3.set(groupVersion.folder, { file: name, hash: documentHash(text) });
  }
  if (v3.size === 0) return { v3 };
  files.set('openapi/v2.json', documentText(serveV2(served.map(({ document }) => document))));
  return { v3, v2: 'v2.json' };
}

/** Returns the file of a group-version's document in a schemas folder, which is also its path on a server. */
function documentPath({ group, version }: GroupVersionModel): string {
  return group === '' ? `openapi/api/${version}.json` : `openapi/apis/${group}/${version}.json`;
}
