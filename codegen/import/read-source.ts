import { join } from 'node:path';
import { isFolder } from '../load/files.ts';
import { readDocumentFile } from './documents.ts';
import { readFolder, readProtoAndFacts } from './folder.ts';
import { isGoSource } from './go/packages.ts';
import { readServer, type ServerOptions } from './live-server.ts';
import { isHandWritten, readOpenApiFile } from './openapi-file.ts';
import { readProtoFolder } from './proto-folder.ts';
import { readPublished } from './published.ts';
import { type ExtraFiles, ImportError, type ImportSource } from './source.ts';
import { filesBelow } from './tree.ts';

export interface ReadOptions {
  readonly extra: ExtraFiles;
  readonly server: ServerOptions;
  readonly onProgress: (line: string) => void;
}

/**
 * Reads the source of an import: the URL of a server, a schemas folder, a folder of .proto files, a file with a custom
 * group, or the published files of projects.
 */
export async function readSource(from: readonly string[], { extra, server, onProgress }: ReadOptions): Promise<ImportSource> {
  const url = from.find((each) => /^https?:\/\//.test(each));
  if (url !== undefined && from.length > 1) throw new ImportError(`${url}: a server cannot be combined with other sources`);
  if (url !== undefined) return readServer(url, server, extra, onProgress);
  const [path, ...others] = from;
  if (path !== undefined && others.length === 0) {
    if ((await isFolder(join(path, 'openapi'))) && !(await lacksFactsOfGo(path))) return readFolder(path, extra);
    if (await isFolder(join(path, 'proto'))) return readProtoFolder(join(path, 'proto'), extra);
    if (!(await isFolder(path)) && isHandWritten((await readDocumentFile(path)).value)) return readOpenApiFile(path, extra);
    if (await isOnlyProtos(path)) return readProtoFolder(path);
  }
  const published = await readPublished(from);
  const protosAndFacts = await readProtoAndFacts(extra);
  return {
    ...published,
    protos: new Map([...published.protos, ...protosAndFacts.protos]),
    ...(protosAndFacts.facts ? { facts: protosAndFacts.facts } : {}),
    inputs: new Map([...published.inputs, ...protosAndFacts.inputs]),
    origins: {
      ...published.origins,
      protos: new Map([...(published.origins?.protos ?? []), ...(protosAndFacts.origins.protos ?? [])]),
    },
  };
}

/** Reports whether a folder has .proto files and nothing else that an import reads. */
async function isOnlyProtos(folder: string): Promise<boolean> {
  const files = await filesBelow(folder);
  return files.some(({ name }) => name.endsWith('.proto')) && !files.some(({ name }) => /\.(json|ya?ml|go)$/.test(name));
}

/** Reports whether a folder has Go types without field facts made of them. */
async function lacksFactsOfGo(folder: string): Promise<boolean> {
  const files = await filesBelow(folder);
  return files.some(isGoSource) && !files.some(({ path }) => path === join(folder, 'field-facts.json'));
}
