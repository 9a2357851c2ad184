// Compiles runtime/, codegen/ and generated/ into dist/, when dist/ is older than they are.
//
//   node codegen/build/build.mjs [--force] [--no-types]
//
// JavaScript: one esbuild run with code splitting, dependencies bundled in. Loading a hundred small files costs a cold
// start more than everything they do; what a command does not need stays behind dynamic imports, in files of its own.
// Types: declarations by tsc, one a source file, in the same layout.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
// everything is written here first: whoever runs dist/ meanwhile has the old one whole
const fresh = join(root, 'node_modules', '.cache', `kubeloom-dist-${process.pid}`);
const force = process.argv.includes('--force');
const types = !process.argv.includes('--no-types');
const sources = ['runtime', 'codegen', 'generated'];

/** Newest change below a folder; folders count too, so that a deleted file is seen. */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  let latest = stat.mtimeMs;
  for (const entry of readdirSync(path)) latest = Math.max(latest, newest(join(path, entry)));
  return latest;
}

function isCurrent(kind) {
  if (force || !existsSync(stamp)) return false;
  if (kind === 'types' && !readFileSync(stamp, 'utf8').includes('types')) return false;
  const inputs = [...sources, 'package.json', 'package-lock.json', 'tsconfig.json', 'codegen/build/build.mjs'];
  const latest = Math.max(
    ...inputs.filter((path) => existsSync(join(root, path))).map((path) => newest(join(root, path))),
  );
  return latest <= statSync(stamp).mtimeMs;
}

/** Entry points: the command, the library, the threads that run large requests, and everything of generated/ that has a name of its own outside. */
function entryPoints() {
  const releases = existsSync(join(root, 'generated'))
    ? readdirSync(join(root, 'generated'), { withFileTypes: true }).filter(
        (entry) => entry.isDirectory() && /^v[0-9.]*[0-9]$/.test(entry.name),
      )
    : [];
  const generated = releases.flatMap(({ name }) =>
    ['catalog', 'client', 'index']
      .map((file) => `generated/${name}/${file}.ts`)
      .filter((file) => existsSync(join(root, file))),
  );
  return ['runtime/cli/main.ts', 'runtime/index.ts', 'runtime/server/workers/entry.ts', ...generated].filter((file) =>
    existsSync(join(root, file)),
  );
}

/** What generated code of others may import, each module in a file of its own: the rooms in codegen/print/symbols.ts. */
function modules() {
  const rooms = ['machinery', 'structural', 'kinds', 'client', 'codec'].map((room) => join('runtime', room));
  return rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(room, file)),
  );
}

/** Relative imports as they are, of what the build writes. */
const leaveImports = {
  name: 'leave-imports',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
    );
  },
};

/** The licences of the packages that are bundled, in one file beside the code. */
function writeLicences(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
    return `${name} ${version} (${license})\n${text}`;
  });
  writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** A package that is bundled as an empty object. */
function empty(name) {
  return {
    name: `empty-${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'empty' }));
      onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

async function compileModules() {
  await build({
    absWorkingDir: root,
    entryPoints: modules(),
    outdir: fresh,
    outbase: root,
    bundle: true,
    packages: 'external',
    plugins: [leaveImports],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

async function compile() {
  const { devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // what is native, and what only the generator needs, is taken from node_modules
  const external = ['lmdb', ...Object.keys({ ...devDependencies, ...optionalDependencies })];
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: entryPoints(),
    outdir: fresh,
    outbase: root,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    // half a megabyte of file name endings, which Koa loads and nothing here asks for
    plugins: [empty('mime-db')],
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS inside the bundle asks for Node's own modules
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  writeLicences(Object.keys(metafile.inputs));
}

function emitTypes() {
  const args = ['node_modules/tsc7/bin/tsc', '-p', '.', '--noEmit', 'false', '--emitDeclarationOnly', '--declaration'];
  args.push('--outDir', fresh, '--rootDir', '.');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => {
      // declarations are written for code with type errors too, and the server runs; make check is what refuses them
      if (code !== 0) process.stderr.write(`build: tsc ended with ${code}; the declarations may not be right\n`);
      resolve();
    });
  });
}

const wanted = types ? 'types' : 'code';
if (!isCurrent(wanted)) {
  const started = Date.now();
  mkdirSync(fresh, { recursive: true });
  try {
    await Promise.all([compile(), compileModules(), types ? emitTypes() : undefined]);
    rmSync(join(fresh, 'test'), { recursive: true, force: true });
    const built = join(fresh, '.built');
    writeFileSync(built, wanted);
    // what changed while it ran is not in it
    utimesSync(built, new Date(), new Date(started));
    const old = `${fresh}-old`;
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write(`build: ${error.message}\n`);
    process.exit(1);
  }
  process.stdout.write(`built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}
