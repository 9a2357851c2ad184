import { existsSync, statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiGroup } from '../machinery/api-group.ts';
import { UsageError } from './flags.ts';

/**
 * The groups of a package that `kubeloom generate` wrote, or of a module whose default export is what such a package
 * gives: one, or several. TypeScript is taken as it is.
 *
 * @param path of the module, or of a folder with index.ts or index.js
 * @throws UsageError for a path that leads to no groups
 */
export async function loadGroups(path: string): Promise<readonly ApiGroup[]> {
  const file = moduleFile(path);
  if (file.endsWith('.ts')) stripTypes();
  let found: unknown;
  try {
    found = ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new UsageError(`--group ${path}: ${(error as Error).message}`);
  }
  const groups = Array.isArray(found) ? found : [found];
  if (!groups.every(isApiGroup)) throw new UsageError(`--group ${path}: its default export is no API group`);
  return groups;
}

function moduleFile(path: string): string {
  const absolute = resolve(path);
  const candidates = [absolute, ...['index.ts', 'index.js'].map((name) => join(absolute, name))];
  const file = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  if (file === undefined) throw new UsageError(`--group ${path}: no such module, and no folder with an index.ts`);
  return file;
}

function isApiGroup(value: unknown): value is ApiGroup {
  const group = value as Partial<ApiGroup> | null | undefined;
  return Array.isArray(group?.catalog?.groupVersions) && typeof group.strategies === 'object';
}

/** Runs in Node's thread for loaders, which shares nothing with this one. */
const hooks = `
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
let typescript;
export async function initialize(url) {
  typescript = (await import(url)).default;
}
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { ModuleKind, ScriptTarget } = typescript;
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, verbatimModuleSyntax: true };
  const { outputText } = typescript.transpileModule(await readFile(fileURLToPath(url), 'utf8'), { compilerOptions });
  return { format: 'module', source: outputText, shortCircuit: true };
}
`;

let strips = false;

/** Newer versions of Node read TypeScript by themselves; for the others the generator's compiler drops the types. */
function stripTypes(): void {
  if (strips || (process.features as { typescript?: unknown }).typescript) return;
  strips = true;
  let compiler: string;
  try {
    compiler = createRequire(import.meta.url).resolve('typescript');
  } catch {
    throw new UsageError('a group in TypeScript needs the package typescript, or Node 22.18 and later');
  }
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: pathToFileURL(compiler).href });
}
