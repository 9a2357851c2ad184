/**
 * Runs suites of others on `kubeloom envtest-assets`, unchanged, and prints how many of their specs pass: `make test-envtest`.
 * They are fetched from Go's module proxy into a temporary folder; nothing of them is kept but what Go has in its caches. Without
 * Go, they are skipped.
 *
 *   ONLY=controller-runtime,jobset@v0.11.1  some of the suites, and their versions if others are wanted
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
import { type Suite, suites } from './suites.ts';

const run = promisify(execFile);
const maxBuffer = 2 ** 28;
const only = namesInOnly();

console.log('| suite | version | result |\n| --- | --- | --- |');
for (const suite of only.length === 0 ? suites : only.map(named)) {
  const result = await trySuite(suite);
  console.log(`| ${suite.name} | ${suite.version} | ${result} |`);
  if (result.startsWith('fails')) process.exitCode = 1;
}

/** @throws Error for a name that no suite has */
function named(text: string): Suite {
  const [name, version] = text.split('@');
  const suite = suites.find((each) => each.name === name);
  if (suite === undefined) throw new Error(`ONLY: no such suite: ${name}`);
  return { ...suite, ...(version !== undefined && { version }) };
}

async function trySuite(suite: Suite): Promise<string> {
  const missing = missingPrograms(['go']);
  if (missing !== undefined) return `skipped: ${missing}`;
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-suite-'));
  try {
    const [sources, assets] = [join(folder, 'module'), join(folder, 'assets')];
    // suites write beside their files
    await copyModule(await moduleFolder(suite.module, suite.version), sources);
    await run(process.execPath, [join(root, 'dist/runtime/cli/main.js'), 'envtest-assets', assets]);
    const { code, output } = await goTest(suite, sources, assets);
    const specs = specsOf(output);
    if (code === 0 && specs !== undefined) return `passes ${specs}`;
    process.stderr.write(output);
    return `fails: ${specs === undefined ? 'no specs have run' : `passes ${specs}`}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the tests of the package, without cached results. */
function goTest(suite: Suite, cwd: string, assets: string): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets };
  return new Promise((resolve) => {
    execFile('go', ['test', '-count=1', '-v', suite.package], { cwd, env, maxBuffer }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stripVTControlCharacters(`${stderr}${stdout}`) }),
    );
  });
}

/** Returns the result of a Ginkgo suite: `28 of 28`. */
function specsOf(output: string): string | undefined {
  const ran = /^Ran (\d+) of \d+ Specs/m.exec(output)?.[1];
  const passed = /(\d+) Passed/.exec(output)?.[1];
  return ran === undefined || passed === undefined ? undefined : `${passed} of ${ran}`;
}
