// Compiles runtime/, codegen/ and generated/ into dist/ if dist/ is out of date.
//
//   node codegen/build/build.mjs [--force] [--no-types]
//
// - Program: one esbuild run makes a script of all modules of the server: see program.mjs.
// - JavaScript: a second run with code splitting bundles what stays outside of the program, and files that export what the
// program contains.
// - Importable modules: this run exports the modules that generated packages import, so that each has one instance.
// - Releases: generated/ has the code of one release. The build generates the other releases into .generated/ when they
// are out of date there.
// - Descriptions: if the packages with descriptions are installed, dist/generated/ gets the OpenAPI documents with
// descriptions.
// - Jest: the modules that Jest loads itself are CommonJS.
// - CommonJS: beside each module that the package exports, a second file requires it.
// - Page: the files that browsers load are bundles of their own, in dist/page/.
// - Types: tsc writes one declaration file for each source file, in the same layout.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeCommonJs } from './commonjs.mjs';
import { dist, isCurrent, root, sources } from './current.mjs';
import { importableEntryPoints, importablePlugin, writeImportable } from './importable.mjs';
import { licencesOf, packagesOf } from './licences.mjs';
import { external } from './manifest.mjs';
import { buildPage } from './page.mjs';
import { buildProgram, entryPointFor, programPlugin } from './program.mjs';
import { generateReleases, otherReleases, releasesIn } from './releases.mjs';

// The build writes here first, so that dist/ stays complete for processes that are using it.
const fresh = join(root, 'node_modules', '.cache', `kubeloom-dist-${process.pid}`);
const force = process.argv.includes('--force');
const types = !process.argv.includes('--no-types');

/** The releases in generated/. */
const releases = () => releasesIn(join(root, 'generated'));

/** Groups that only test servers have, besides those of a release. */
const testing = 'generated/testing';

/** The entry points: the command, the library, the worker threads, and the generated files that the package exports. */
function entryPoints() {
  const folders = [...releases().map((release) => `generated/${release}`), ...otherReleases(), testing];
  const generated = folders.flatMap((folder) => ['catalog', 'client', 'index'].map((file) => `${folder}/${file}`));
  const threads = ['entry', 'codec-entry'].map((name) => `runtime/server/workers/${name}`);
  const frameworks = ['use-server', 'vitest'].map((name) => `runtime/frameworks/${name}`);
  return ['runtime/cli/main', 'runtime/index', ...threads, ...frameworks, ...generated]
    .filter((file) => existsSync(join(root, `${file}.ts`)))
    .map((file) => ({ in: `${file}.ts`, out: inDist(file) }));
}

/** Returns the path in dist/ of a release's file. dist/ has all releases in generated/. */
const inDist = (path) => path.replace(/^\.generated\//, 'generated/');

/** Writes the licences of the bundled packages into one file beside the code. */
const writeLicences = (inputs) => writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licencesOf(packagesOf(inputs)));

/** The catalog that the server imports by its path. Those of other releases are found in dist/. */
const catalogOfProgram = `generated/${releases()[0]}/catalog.ts`;

/** The commands of the generator, which no server loads, and their files beside the program. */
const generatorCommands = Object.fromEntries(['generate', 'import'].map((name) => [`codegen/commands/${name}.ts`, `./codegen-${name}.js`]));

async function compile() {
  const entries = entryPoints();
  const inProgram = entries.map((entry) => entry.in).filter((path) => path.startsWith('runtime/') || path === catalogOfProgram);
  const program = await buildProgram({ entryPoints: inProgram, commands: generatorCommands, external });
  const commands = Object.entries(generatorCommands).map(([path, file]) => ({ in: path, out: join('chunks', file.replace(/\.js$/, '')) }));
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: [...entries.map((entry) => ({ ...entry, in: entryPointFor(entry.in, program) })), ...commands, ...importableEntryPoints()],
    outdir: fresh,
    outbase: root,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    plugins: [programPlugin(program), importablePlugin(program.exported)],
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Bundled CommonJS requires Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  writeFileSync(join(fresh, program.file), program.text);
  writeImportable(program.exported, fresh);
  const page = await buildPage(join(fresh, 'page'));
  writeLicences([...program.inputs, ...Object.keys(metafile.inputs), ...page, ...(await describeReleases())]);
}

/** Compiles runtime/frameworks/jest.ts, which Jest itself loads. */
async function compileForJest() {
  await build({
    absWorkingDir: root,
    entryPoints: ['runtime/frameworks/jest.ts'],
    outfile: join(fresh, 'runtime/frameworks/jest.cjs'),
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

/** Writes the documents with descriptions. Returns a path in each package that supplied descriptions. */
async function describeReleases() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['codegen/describe/index.ts'],
    bundle: true,
    packages: 'external',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const script = join(fresh, 'describe.mjs');
  writeFileSync(script, outputFiles[0].text);
  const { describeRelease } = await import(pathToFileURL(script).href);
  rmSync(script);
  const packages = new Set();
  for (const release of releases()) {
    const folder = join('generated', release);
    const sources = await describeRelease(join(root, folder), join(root, 'node_modules'), join(fresh, folder));
    for (const name of sources) packages.add(`node_modules/${name}/package.json`);
    if (sources.length === 0) copyDocuments(folder);
  }
  return packages;
}

function copyDocuments(folder) {
  cpSync(join(root, folder, 'openapi'), join(fresh, inDist(folder), 'openapi'), { recursive: true });
}

/** Writes declarations of every compiled file, and of the clients of the releases outside the tree. */
async function emitTypes() {
  const clients = otherReleases().flatMap((folder) => ['client.ts', '*/*/client.ts', '*/*/types.ts'].map((file) => `${folder}/${file}`));
  const config = join(fresh, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      include: [...sources, ...clients].map((pattern) => join(root, pattern)),
      compilerOptions: { noEmit: false, emitDeclarationOnly: true, declaration: true, outDir: fresh, rootDir: root },
    }),
  );
  await runCompiler(['-p', config]);
  rmSync(config);
  for (const folder of otherReleases()) cpSync(join(fresh, folder), join(fresh, inDist(folder)), { recursive: true });
  rmSync(join(fresh, '.generated'), { recursive: true, force: true });
}

function runCompiler(flags) {
  const args = ['node_modules/tsc7/bin/tsc', ...flags];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => {
      // tsc writes declarations despite type errors, and the server runs. `make check` rejects type errors.
      if (code !== 0) process.stderr.write(`build: tsc exited with ${code}; the declarations may be wrong\n`);
      resolve();
    });
  });
}

const wanted = types ? 'types' : 'code';
if (force || !isCurrent(wanted)) {
  const started = Date.now();
  mkdirSync(fresh, { recursive: true });
  try {
    await generateReleases();
    await Promise.all([compile(), compileForJest(), types ? emitTypes() : undefined]);
    [...otherReleases(), testing].forEach(copyDocuments);
    writeCommonJs(fresh);
    rmSync(join(fresh, 'test'), { recursive: true, force: true });
    const built = join(fresh, '.built');
    writeFileSync(built, wanted);
    // The stamp has the time of the start, because dist/ lacks changes made during the build.
    utimesSync(built, new Date(), new Date(started));
    const old = `${fresh}-old`;
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    // compiled code of the previous dist/: see runtime/machinery/compiled/compiled-code-folder.ts
    rmSync(join(root, 'node_modules', '.cache', 'kubeloom-compiled'), { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write(`build: ${error.message}\n`);
    process.exit(1);
  }
  process.stdout.write(`built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}
