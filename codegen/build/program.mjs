import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { root } from './current.mjs';
import { importableModules, nameIn } from './importable.mjs';

/*
 * All modules of the server are one script, which starts from compiled code: see runtime/machinery/compiled/program.ts. Outside of it
 * are the modules of a client, because a client loads no server, and bundlers read its modules. The script shares them:
 *
 *     chunks/program-1a2b3c4d.js         (require, module, moduleUrl, shared) => { module.exports = { modules: { 'runtime/index': ... } } }
 *     chunks/shared.js                   the modules of a client, and the code that runs the script
 *     runtime/index.js, cli/main.js...   export what a module of the script exports
 */

const opener = 'runtime/machinery/compiled/program.ts';
const importer = 'runtime/machinery/compiled/import-module.ts';
/** Modules that Vitest's loader has to load, and those of clients. */
const isOutside = (path) => path === 'runtime/frameworks/vitest.ts' || /^\.?generated\/[^/]+\/client\.ts$/.test(path);

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Half a megabyte of media types that Koa loads and nothing here uses. */
const withoutMediaTypes = {
  name: 'without-media-types',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^mime-db$/ }, () => ({ path: 'mime-db', namespace: 'empty' }));
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Returns the path of an imported source relative to the project; undefined for packages. */
const pathOf = ({ path, resolveDir, namespace }) =>
  /^\.{1,2}\//.test(path) && (namespace === 'file' || namespace === 'entries' || namespace === 'commands')
    ? relative(root, join(resolveDir, path)).replaceAll('\\', '/')
    : undefined;

/** Returns the modules of runtime/ that clients, and the code that runs the script, are made of. */
async function sharedModules(external) {
  const clients = importableModules.filter((path) => path.startsWith('runtime/client/'));
  const { metafile } = await build({
    ...common,
    entryPoints: [opener, importer, ...clients],
    outdir: 'out',
    write: false,
    metafile: true,
    format: 'esm',
    external,
  });
  return new Set(Object.keys(metafile.inputs).filter((path) => path.startsWith('runtime/')));
}

/** Returns the values that modules export, by path. */
export async function exportsOf(paths) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: paths,
    outdir: 'out',
    outbase: root,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  const outputs = Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]);
  return new Map(outputs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Builds the script.
 *
 * @param entryPoints modules that files of dist/ or other modules outside of the script export
 * @param commands modules of asynchronous functions outside of the script, by path, with their files beside it
 */
export async function buildProgram({ entryPoints, commands, external }) {
  const shared = await sharedModules(external);
  const inside = [...new Set([...entryPoints, ...importableModules])].filter((path) => !shared.has(path) && !isOutside(path));
  const exported = await exportsOf([...inside, ...shared, ...Object.keys(commands)]);
  const plugin = {
    name: 'program',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^entries$/ }, ({ path }) => ({ path, namespace: 'entries' }));
      onLoad({ filter: /./, namespace: 'entries' }, () => ({
        contents: `exports.modules = {\n${inside.map((path) => `${JSON.stringify(path)}: () => require('./${path}'),`).join('\n')}\n};`,
        resolveDir: root,
        loader: 'js',
      }));
      onResolve({ filter: /^\./ }, (args) => {
        const path = pathOf(args);
        if (commands[path] !== undefined) return { path, namespace: 'commands' };
        return shared.has(path) ? { path, namespace: 'shared' } : undefined;
      });
      onLoad({ filter: /./, namespace: 'commands' }, ({ path }) => ({
        contents: `import { importModule } from './${importer}'; ${exported
          .get(path)
          .map((name) => importing(name, commands[path]))
          .join('\n')}`,
        resolveDir: root,
        loader: 'js',
      }));
      onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
        contents: exported
          .get(path)
          .map((name) => `const shared_${name} = shared.${nameIn(path, name)}; export { shared_${name} as ${name} };`)
          .join('\n'),
      }));
    },
  };
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ['entries'],
    outfile: 'out',
    write: false,
    metafile: true,
    format: 'cjs',
    external,
    define: { 'import.meta.url': 'moduleUrl' },
    // The script requires: see import-module.ts.
    supported: { 'dynamic-import': false },
    banner: { js: '(function(require,module,moduleUrl,shared){let exports=module.exports;' },
    footer: { js: '})' },
    plugins: [plugin, withoutMediaTypes],
  });
  const [{ text }] = outputFiles;
  const file = `chunks/program-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`;
  return { file, text, exported, shared, inside: new Set(inside), inputs: Object.keys(metafile.inputs) };
}

/** Returns the code of a function that imports a file beside the script first. */
const importing = (name, file) =>
  `export const ${name} = async (...args) => (await importModule(new URL('${file}', moduleUrl).href)).${name}(...args);`;

/** An esbuild plugin for modules outside of the script: modules of the server come from the script. */
export const programPlugin = ({ file, exported, shared, inside }) => ({
  name: 'program',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^program:/ }, ({ path }) => ({ path: path.slice('program:'.length), namespace: 'program' }));
    onResolve({ filter: /^\./ }, (args) => {
      const path = pathOf(args) ?? (args.namespace === 'importable' ? posix.normalize(args.path) : undefined);
      if (inside.has(path)) return { path, namespace: 'program' };
      if (path?.startsWith('runtime/') && !shared.has(path) && !isOutside(path)) {
        return { errors: [{ text: `${path} is neither a module of clients nor one that the program exports` }] };
      }
      return undefined;
    });
    onLoad({ filter: /./, namespace: 'program' }, ({ path }) => ({
      contents: path === 'modules' ? opening(file) : facade(path, exported.get(path)),
      resolveDir: root,
      loader: 'js',
    }));
    onResolve({ filter: /^shared$/ }, () => ({ path: 'shared', namespace: 'shared' }));
    onLoad({ filter: /./, namespace: 'shared' }, () => ({
      contents: [...shared]
        .filter((path) => exported.get(path).length > 0)
        .map(
          (path) =>
            `export { ${exported
              .get(path)
              .map((name) => `${name} as ${nameIn(path, name)}`)
              .join(', ')} } from './${path}';`,
        )
        .join('\n'),
      resolveDir: root,
      loader: 'js',
    }));
  },
});

/** Runs the script. The bundle of this module lies in the script's folder. */
const opening = (file) => `
import * as shared from 'shared';
import { openProgram } from './${opener}';
export const modules = openProgram(new URL('./${posix.basename(file)}', import.meta.url), shared);`;

function facade(path, names) {
  const list = names.map((name) => `export const ${name} = program.${name};`);
  const [hashbang = ''] = /^#!.*\n/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  return `${hashbang}import { modules } from 'program:modules'; const program = modules[${JSON.stringify(path)}](); ${list.join('\n')}`;
}

/** Returns the entry point of a file in dist/ for a module of the project. */
export const entryPointFor = (path, { inside }) => (inside.has(path) ? `program:${path}` : path);
