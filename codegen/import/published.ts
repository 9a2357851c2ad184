import { dirname } from 'node:path/posix';
import { componentPrefix, type FieldFacts } from '../load/field-facts.ts';
import type { OpenApiDocument } from '../load/openapi.ts';
import { readDocumentFiles } from './documents.ts';
import { fieldFactsOf } from './go/field-facts.ts';
import { GoModules } from './go/modules.ts';
import { type GoFolder, isGoSource, readGoFolders } from './go/packages.ts';
import { type FoundProto, goPackageOf, protosByName, readProtoFiles } from './protos.ts';
import { ImportError, type ImportSource } from './source.ts';
import { filesBelow, type TreeFile } from './tree.ts';

/**
 * Reads the published files of projects, anywhere below some folders: OpenAPI v3 documents or Swagger 2.0,
 * generated.proto, and the Go sources of types, which give field facts. Takes only .proto files and Go packages of the
 * Go modules whose types the documents have.
 *
 * @throws ImportError if there is no document of a group-version
 */
export async function readPublished(paths: readonly string[]): Promise<ImportSource> {
  const trees = await Promise.all(paths.map(async (root) => ({ root, files: await filesBelow(root) })));
  const files = trees.flatMap((tree) => tree.files);
  const { documents, inputs, paths: documentPaths } = await readDocumentFiles(files);
  if (documents.size === 0)
    throw new ImportError(`${paths.join(', ')} has no OpenAPI v3 or Swagger 2.0 document with paths of a group-version`);
  const modules = modulesOf(documents);
  const found = await Promise.all(trees.map((tree) => readProtoFiles(tree.files, tree.root)));
  const protos = protosByName(found.flat().filter(({ name, text }) => isOf(modules, goPackageOf(text) ?? dirname(name))));
  const goModules = new GoModules();
  const go = await readGoFolders(await goFoldersOf(files, goModules, documents, protos));
  const facts: FieldFacts = fieldFactsOf(go.packages);
  const version = await goModules.kubernetesVersion();
  return {
    kind: 'published',
    documents,
    protos: new Map([...protos].map(([name, { text }]) => [name, text])),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    inputs: new Map([...inputs, ...[...protos].map(([name, { text }]) => [`proto/${name}`, text] as const), ...go.inputs]),
    ...(version === undefined ? {} : { version }),
    origins: { documents: documentPaths, protos: new Map([...protos].map(([name, { path }]) => [name, path])) },
  };
}

/** Returns the prefixes of the component names of modules whose types the documents have: `io.k8s.api.`. */
function modulesOf(documents: ReadonlyMap<string, OpenApiDocument>): Set<string> {
  const ids = [...documents.values()].flatMap((document) => Object.keys(document.components?.schemas ?? {}));
  return new Set(ids.map(modulePrefix));
}

/** `io.k8s.api.core.v1.Pod` -> `io.k8s.api.`: the domain, reversed, and one part. */
const modulePrefix = (id: string): string => `${id.split('.').slice(0, 3).join('.')}.`;

const isOf = (modules: ReadonlySet<string>, goPackage: string): boolean => modules.has(modulePrefix(`${componentPrefix(goPackage)}.`));

/** Returns the Go folders of packages whose types the documents or .proto files have. */
async function goFoldersOf(
  files: readonly TreeFile[],
  modules: GoModules,
  documents: ReadonlyMap<string, OpenApiDocument>,
  protos: ReadonlyMap<string, FoundProto>,
): Promise<GoFolder[]> {
  const byFolder = new Map<string, TreeFile[]>();
  for (const file of files.filter(isGoSource)) byFolder.set(file.folder, [...(byFolder.get(file.folder) ?? []), file]);
  const ids = [...documents.values()].flatMap((document) => Object.keys(document.components?.schemas ?? {}));
  const prefixes = new Set([
    ...ids.map((id) => id.slice(0, id.lastIndexOf('.'))),
    ...[...protos.values()].map(({ name, text }) => componentPrefix(goPackageOf(text) ?? dirname(name))),
  ]);
  const folders = new Map<string, GoFolder>();
  for (const [folder, sources] of byFolder) {
    const goPackage = await modules.packageOf(folder);
    if (goPackage === undefined || !prefixes.has(componentPrefix(goPackage))) continue;
    const other = folders.get(goPackage);
    if (other) throw new ImportError(`${other.files[0]?.folder} and ${folder} are both the Go package ${goPackage}`);
    folders.set(goPackage, { files: sources, goPackage });
  }
  return [...folders.values()].sort((one, other) => (one.goPackage < other.goPackage ? -1 : 1));
}
