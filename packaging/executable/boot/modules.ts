import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { addonFile } from './addons.ts';
import type { Contents } from './contents.ts';
import { insideOf, insideOfUrl, urlOf } from './place.ts';

interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}

interface Loaded {
  readonly format: string;
  readonly source: string | Buffer;
  readonly shortCircuit: boolean;
}

interface Context {
  readonly parentURL?: string;
}

/** The synchronous hooks of Node 22.15 and later. */
interface Hooks {
  resolve(specifier: string, context: Context, next: (specifier: string, context: Context) => Resolved): Resolved;
  load(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
}

const { registerHooks } = nodeModule as unknown as { registerHooks(hooks: Hooks): void };

/**
 * Lets `import` and `require` find the modules inside the executable, the packages that these need, and, for modules of
 * any place, `kubeloom` itself.
 */
export function registerModules(contents: Contents): void {
  registerHooks({
    resolve(specifier, context, next) {
      const path = pathOf(specifier, context.parentURL, contents);
      if (path === undefined) return next(specifier, context);
      if (path.endsWith('.node')) return next(addonFile(contents.read(path)), context);
      return { url: urlOf(path), format: formatOf(path), shortCircuit: true };
    },
    load(url, context, next) {
      const path = insideOfUrl(url);
      if (path === undefined || !contents.has(path)) return next(url, context);
      return { format: formatOf(path), source: contents.read(path).toString(), shortCircuit: true };
    },
  });
}

const formatOf = (path: string): string => (path.endsWith('.cjs') ? 'commonjs' : path.endsWith('.json') ? 'json' : 'module');

/** Returns the path inside the executable; undefined for a module that is not inside. */
function pathOf(specifier: string, parent: string | undefined, contents: Contents): string | undefined {
  return candidates(specifier, parent).find((path) => path !== undefined && contents.has(path));
}

function candidates(specifier: string, parent: string | undefined): readonly (string | undefined)[] {
  if (specifier.startsWith('node:')) return [];
  if (specifier.startsWith('file:')) return [insideOfUrl(specifier)];
  const own = /^kubeloom(?:\/(.+))?$/.exec(specifier);
  if (own) return own[1] === undefined ? ['dist/runtime/index.js'] : [`dist/${own[1]}`, `dist/${own[1]}.js`];
  if (insideOfUrl(parent) === undefined) return [insideOf(specifier)];
  if (/^\.{1,2}\//.test(specifier)) return [insideOf(fileURLToPath(new URL(specifier, parent)))];
  return [insideOf(specifier), `node_modules/${specifier}`, `node_modules/${specifier}/index.cjs`];
}
