import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export { load } from '../ts-hooks.mjs';

/* Module hooks, in Node's thread for them. */

const root = new URL('../../../', import.meta.url).href;

/** Resolves modules of runtime/ to dist/. */
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  if (!resolved.url.startsWith(`${root}runtime/`)) return resolved;
  const built = `${root}dist/${resolved.url.slice(root.length).replace(/\.ts$/, '.js')}`;
  return existsSync(fileURLToPath(built)) ? { url: built, format: 'module', shortCircuit: true } : resolved;
}
