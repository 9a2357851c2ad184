import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ApiGroup } from '../../machinery/api-group.ts';
import { importModule } from '../../machinery/compiled/import-module.ts';

/**
 * Imports a module whose default export is one API group or several. The module can be TypeScript.
 *
 * @param module the URL of the module
 * @throws Error if the module cannot be loaded or exports anything else
 */
export async function importGroups(module: string): Promise<readonly ApiGroup[]> {
  if (module.endsWith('.ts')) registerTypeScriptLoader();
  const exported = (await importModule(module)) as { readonly default?: unknown };
  const groups = Array.isArray(exported.default) ? exported.default : [exported.default];
  if (!groups.every(isApiGroup)) throw new Error(faultOf(exported));
  return groups.map((group) => ({ ...group, module }));
}

/** Returns the reason why a default export is neither a group nor a list of groups. */
function faultOf(exported: { readonly default?: unknown }): string {
  const found = exported.default;
  const others = Object.keys(exported).filter((name) => name !== 'default');
  if (!('default' in exported)) {
    const isGenerated = others.includes('catalog') && others.includes('createClient');
    return isGenerated
      ? 'has no default export, because its versions need converters: pass a module with "export default" of the group with its converters'
      : `has no default export, which should be an API group: ${others.length === 0 ? 'it exports nothing' : `it exports ${others.join(', ')}`}`;
  }
  if (typeof found === 'function')
    return `its default export is the function ${found.name || 'without a name'}, not an API group: export what it returns`;
  if (Array.isArray(found)) {
    const at = found.findIndex((group) => !isApiGroup(group));
    return `its default export is a list whose item ${at} is not an API group, but ${nameOf(found[at])}`;
  }
  return `its default export is not an API group, but ${nameOf(found)}`;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value instanceof Promise) return 'a promise';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const names = Object.keys(value);
  return names.length === 0 ? 'an object without members' : `an object with ${names.slice(0, 5).join(', ')}`;
}

function isApiGroup(value: unknown): value is ApiGroup {
  const group = value as Partial<ApiGroup> | null | undefined;
  return Array.isArray(group?.catalog?.groupVersions) && typeof group.strategies === 'object';
}

/** Code for Node's loader thread, which shares no memory with this one. */
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

/** Lets Node import TypeScript. Node versions without own support use the package typescript. */
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
