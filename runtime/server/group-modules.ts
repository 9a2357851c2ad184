import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ApiGroup } from '../machinery/api-group.ts';

/**
 * Imports a module whose default export is one API group or several. The module can be TypeScript.
 *
 * @param module the URL of the module
 * @throws Error if the module cannot be loaded or exports anything else
 */
export async function importGroups(module: string): Promise<readonly ApiGroup[]> {
  if (module.endsWith('.ts')) registerTypeScriptLoader();
  const found = ((await import(module)) as { default?: unknown }).default;
  const groups = Array.isArray(found) ? found : [found];
  if (!groups.every(isApiGroup)) throw new Error('its default export is not an API group');
  return groups.map((group) => ({ ...group, module }));
}

function isApiGroup(value: unknown): value is ApiGroup {
  const group = value as Partial<ApiGroup> | null | undefined;
  return Array.isArray(group?.catalog?.groupVersions) && typeof group.strategies === 'object';
}

/** Runs in Node's loader thread, which shares no memory with this one. */
const loaderHooks = `
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

let isLoaderRegistered = false;

/** Lets Node import TypeScript. Versions that cannot do so themselves use the package typescript. */
function registerTypeScriptLoader(): void {
  if (isLoaderRegistered || (process.features as { typescript?: unknown }).typescript) return;
  isLoaderRegistered = true;
  let compiler: string;
  try {
    compiler = createRequire(import.meta.url).resolve('typescript');
  } catch {
    throw new Error('groups in TypeScript need the package typescript, or Node 22.18 or later');
  }
  register(`data:text/javascript,${encodeURIComponent(loaderHooks)}`, { data: pathToFileURL(compiler).href });
}
