import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { init } from '../../../runtime/cli/init/init.ts';

describe('kubeloom init', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-init-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs the command at a terminal where `answer` is typed, or without one. Returns what it prints. */
  async function run(args: readonly string[], answer?: string): Promise<string> {
    const [input, output] = [Object.assign(new PassThrough(), { isTTY: answer !== undefined }), new PassThrough()];
    if (answer !== undefined) input.write(`${answer}\n`);
    await init([...args, `--out=${folder}`], { input, output });
    return String(output.read());
  }
  const files = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);

  test.each([
    ['vitest', 'operator.test.ts', 'npx vitest run'],
    ['jest', 'operator.test.js', 'npx jest'],
    ['go', 'operator_test.go', 'go test ./...'],
    ['python', 'test_operator.py', 'pytest'],
    ['java', 'OperatorTest.java', 'mvn test'],
    ['group', 'robots.yaml', 'npx kubeloom serve --from robots.yaml'],
  ])('%s writes %s and says: %s', async (template, file, command) => {
    const printed = await run([template]);
    expect(await files()).toEqual([file]);
    expect(printed).toContain(`  ${command}`);
  });

  test.each([
    ['1', 'operator.test.ts'],
    ['go', 'operator_test.go'],
    [' 6 ', 'robots.yaml'],
  ])('asks one question, and %j gets %s', async (answer, file) => {
    expect(await run([], answer)).toContain('What do you begin with?');
    expect(await files()).toEqual([file]);
  });

  test.each([
    [['rust'], 'unknown template "rust": there are vitest, jest, go, python, java, group'],
    [['pyton'], 'unknown template "pyton", did you mean "python"?'],
    [[], 'name a template: vitest, jest, go, python, java, group'],
  ])('refuses %j without a terminal', async (args, message) => {
    await expect(run(args)).rejects.toThrow(message);
    expect(await files()).toEqual([]);
  });

  test('overwrites no file', async () => {
    const file = join(folder, 'test_operator.py');
    await writeFile(file, 'mine');
    await expect(run(['python'])).rejects.toThrow(`${file} exists, and init overwrites no file: use another --out`);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test.each([
    ['without a package', undefined, 'package operator_test\n'],
    ['beside package main', 'package main\n', 'package main_test\n'],
    ['beside other tests', '// a test\n\npackage pools_test\n', 'package pools_test\n'],
  ])('a Go test %s belongs to the test package of the folder', async (_, other, begins) => {
    if (other !== undefined) await writeFile(join(folder, 'main.go'), other);
    await run(['go']);
    expect((await readFile(join(folder, 'operator_test.go'), 'utf8')).startsWith(begins)).toBe(true);
  });

  test.each([
    ['CommonJS', '{}', "require('kubeloom/jest')", 'npx jest'],
    ['ES modules', '{"type":"module"}', "from 'kubeloom/jest'", 'NODE_OPTIONS=--experimental-vm-modules npx jest'],
  ])('a Jest test in a project of %s imports as the project does', async (_, manifest, imports, command) => {
    await writeFile(join(folder, 'package.json'), manifest);
    expect(await run(['jest'])).toContain(`  ${command}\n`);
    expect(await readFile(join(folder, 'operator.test.js'), 'utf8')).toContain(imports);
  });
});
