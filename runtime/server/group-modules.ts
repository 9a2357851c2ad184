import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ApiGroup } from '../machinery/api-group.ts';

/**
 * The groups that a module exports by default: one, or several. TypeScript is taken as it is.
 *
 * @param module its URL
 * @throws Error where it cannot be loaded, or exports something else
 */
export async function importGroups(module: string): Promise<readonly ApiGroup[]> {
  if (module.endsWith('.ts')) stripTypes();
  const found = ((await import(module)) as { default?: unknown }).default;
  const groups = Array.isArray(found) ? found : [found];
  if (!groups.every(isApiGroup)) throw new Error('its default export is no API group');
  return groups.map((group) => ({ ...group, module }));
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
    throw new Error('a group in TypeScript needs the package typescript, or Node 22.18 and later');
  }
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: pathToFileURL(compiler).href });
}
