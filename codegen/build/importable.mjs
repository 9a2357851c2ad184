import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './current.mjs';
import { exportedModules, isClosed } from './manifest.mjs';

/*
 * The modules that generated packages import. Generated packages and the server share one instance of each: entry
 * points of the bundle export everything of these modules, and a small file for each module re-exports its part.
 */

const namespace = 'importable';

/** The modules of runtime/ that the package exports, including those in codegen/print/symbols.ts. */
export const importableModules = exportedModules.flatMap((path) =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(join(root, path), { recursive: true })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => posix.join(path, file.replaceAll('\\', '/')))
        .filter((file) => !isClosed(file)),
);

/** Three bundles: a client loads only the client, and a group without overlays no kinds. More bundles would be more files to load. */
const roomOf = (path) => ['client', 'kinds'].find((room) => path.startsWith(`runtime/${room}/`)) ?? 'machinery';
const rooms = [...new Set(importableModules.map(roomOf))];

/** The entry points of the bundle for these modules. */
export const importableEntryPoints = () => rooms.map((room) => ({ in: `${namespace}:${room}`, out: bundleOf(room) }));

const bundleOf = (room) => `chunks/importable/${room}`;

/** The name in the bundle for an export of a module. */
export const nameIn = (path, name) => `${path.replace(/\.ts$/, '').replace(/[^A-Za-z0-9]/g, '_')}__${name}`;

/** An esbuild plugin that writes the code of the entry points. */
export const importablePlugin = (exported) => ({
  name: namespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
      path: path.slice(namespace.length + 1),
      namespace,
    }));
    onLoad({ filter: /./, namespace }, ({ path: room }) => ({
      contents: importableModules
        .filter((path) => roomOf(path) === room)
        .map((path) => [path, exported.get(path)])
        .map(([path, names]) => `export { ${names.map((name) => `${name} as ${nameIn(path, name)}`)} } from './${path}';`)
        .join('\n'),
      resolveDir: root,
      loader: 'js',
    }));
  },
});

/** Writes a file for each module that re-exports the module's part of the bundle. */
export function writeImportable(exported, folder) {
  for (const path of importableModules) {
    const names = exported.get(path);
    const file = join(folder, path.replace(/\.ts$/, '.js'));
    const bundle = posix.relative(posix.dirname(path), `${bundleOf(roomOf(path))}.js`);
    const list = names.map((name) => `${nameIn(path, name)} as ${name}`).join(', ');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, names.length === 0 ? 'export {};\n' : `export { ${list} } from '${bundle}';\n`);
  }
}
