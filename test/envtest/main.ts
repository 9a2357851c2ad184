/**
 * Runs suites of others on `kubeloom envtest-assets`, unchanged, and prints how many of their specs pass: `make test-envtest`.
 * They are fetched from Go's module proxy into a temporary folder; nothing of them is kept but what Go has in its caches. Without
 * Go, they are skipped.
 *
 *   ONLY=controller-runtime,jobset@v0.11.1  some of the suites, and their versions if others are wanted
 *   KUBE_HOME=FOLDER                        runs them on kube-apiserver first, from FOLDER/bin
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { root } from '../support/generated-project.ts';
import { copyModule, moduleFolder } from '../support/go-module.ts';
import { missingPrograms } from '../support/missing-programs.ts';
import { namesInOnly } from '../support/names-in-only.ts';
import { ReleaseArchive } from './release-archive.ts';
import { specCounts } from './spec-counts.ts';
import { type Suite, suites } from './suites.ts';

const run = promisify(execFile);
const maxBuffer = 2 ** 28;
const only = namesInOnly();
const kubeHome = process.env.KUBE_HOME ?? '';
const missing = missingPrograms(['go']);

console.log('| suite | version | package | kube-apiserver | Kubeloom |\n| --- | --- | --- | --- | --- |');
for (const suite of only.length === 0 ? suites.filter(({ isLong }) => isLong !== true) : only.map(named)) {
  if (missing === undefined) await runSuite(suite);
  else console.log(`| ${suite.name} | ${suite.version} | | | skipped: ${missing} |`);
}

/** @throws Error for a name that no suite has */
function named(text: string): Suite {
  const [name, version] = text.split('@');
  const suite = suites.find((each) => each.name === name);
  if (suite === undefined) throw new Error(`ONLY: no such suite: ${name}`);
  return { ...suite, ...(version !== undefined && { version }) };
}

async function runSuite(suite: Suite): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-suite-'));
  const archive = await ReleaseArchive.serve();
  try {
    const [sources, assets] = [join(folder, 'module'), join(folder, 'assets')];
    // suites write beside their files
    await copyModule(await moduleFolder(suite.module, suite.version), sources);
    await run(process.execPath, [join(root, 'dist/runtime/cli/main.js'), 'envtest-assets', assets]);
    for (const name of suite.packages) {
      const test: GoTest = { program: join(folder, 'suite.test'), cwd: join(sources, name), args: suite.args ?? [] };
      const flags = suite.isDownloading === true ? [archive.linkerFlag] : [];
      await run('go', ['test', '-c', ...flags, '-o', test.program, '.'], { cwd: test.cwd, maxBuffer });
      const reference = kubeHome === '' ? '' : await runTest(test, join(kubeHome, 'bin'), archive);
      console.log(`| ${suite.name} | ${suite.version} | ${name} | ${reference} | ${await runTest(test, assets, archive)} |`);
    }
  } finally {
    archive.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface GoTest {
  readonly program: string;
  /** The folder of the package. */
  readonly cwd: string;
  readonly args: readonly string[];
}

/** Returns the result of a test: `28 of 28 in 10.0 s`. The output of a failure is on stderr. */
async function runTest(test: GoTest, assets: string, archive: ReleaseArchive): Promise<string> {
  await archive.use(assets);
  const start = performance.now();
  const { code, output } = await outputOf(test, assets);
  const seconds = (performance.now() - start) / 1000;
  const { ran, passed } = specCounts(output);
  const hasFailed = code !== 0 || ran === 0;
  if (hasFailed) {
    process.stderr.write(output);
    process.exitCode = 1;
  }
  return `${hasFailed ? 'fails: ' : ''}${passed} of ${ran} in ${seconds.toFixed(1)} s`;
}

function outputOf({ program, cwd, args }: GoTest, assets: string): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets };
  return new Promise((resolve) => {
    execFile(program, ['-test.v', ...args], { cwd, env, maxBuffer }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stripVTControlCharacters(`${stderr}${stdout}`) }),
    );
  });
}
