import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CompiledCode } from '../../../../runtime/machinery/compiled/compiled-code.ts';
import { compiledCodeFolder } from '../../../../runtime/machinery/compiled/compiled-code-folder.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'kubeloom-compiled-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(parent, 'folder-'));
});
const entries = (): readonly string[] => readdirSync(folder);

describe('compiled code of a script', () => {
  test('is kept under the names of the script, of Node and of V8', () => {
    new CompiledCode(folder, '/a/program-1a2b3c4d.js').write(Buffer.from('code'));
    expect(entries()).toEqual([expect.stringMatching(/^program-1a2b3c4d-v[\d.]+-\w+-[0-9a-f]+\.bin$/)]);
    expect(new CompiledCode(folder, '/b/program-1a2b3c4d.js').read()).toEqual(Buffer.from('code'));
    expect(new CompiledCode(folder, '/b/program-5e6f7a8b.js').read()).toBeUndefined();
  });

  test('leaves the newest eight entries, and files of others', () => {
    const names = Array.from({ length: 10 }, (_, digit) => `program-${digit}-v20.0.0-x64-0.bin`);
    names.forEach((name, age) => {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), 1_000 - age, 1_000 - age);
    });
    writeFileSync(join(folder, 'other'), '');
    new CompiledCode(folder, 'program-1a2b3c4d.js').write(Buffer.from('code'));
    const kept = entries().filter((name) => !name.startsWith('program-1a2b3c4d'));
    expect(kept).toEqual(['other', ...names.slice(0, 7)]);
  });

  test('is not kept where no folder can be made', () => {
    writeFileSync(join(folder, 'file'), '');
    const code = new CompiledCode(join(folder, 'file'), 'program-1a2b3c4d.js');
    code.write(Buffer.from('code'));
    expect(code.read()).toBeUndefined();
  });
});

describe('a program', () => {
  const script = `(function (require, module, moduleUrl, shared) {
    const greeting = () => 'hello ' + shared.name;
    module.exports = { modules: { greeting: () => ({ text: greeting() }) } };
  })`;

  /** Runs the program in a process. Returns what it says. */
  async function run(file: string): Promise<string> {
    const main = `
      import { keepCompiledCode, openProgram } from './runtime/machinery/compiled/program.ts';
      const modules = openProgram(new URL(${JSON.stringify(pathToFileURL(file).href)}), { name: 'world' }, ${JSON.stringify(folder)});
      keepCompiledCode();
      process.stdout.write(modules.greeting().text);`;
    const args = ['--no-warnings', '--import', './test/support/ts-loader.mjs', '--input-type=module', '-e', main];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    return stdout;
  }

  test('runs from the code that an earlier process kept, and without it if V8 rejects it', async () => {
    const file = join(folder, 'program-1a2b3c4d.js');
    writeFileSync(file, script);
    expect(await run(file)).toBe('hello world');
    const [kept] = entries().filter((name) => name.endsWith('.bin')) as [string];
    const bytes = readFileSync(join(folder, kept));
    // it has the function that the first run compiled, and is not written again
    expect(await run(file)).toBe('hello world');
    expect(readFileSync(join(folder, kept))).toEqual(bytes);
    writeFileSync(join(folder, kept), 'damaged');
    expect(await run(file)).toBe('hello world');
    expect(readFileSync(join(folder, kept)).subarray(0, 8)).toEqual(bytes.subarray(0, 8));
  });
});

describe('the folder of compiled code', () => {
  test('is none while the server runs from source', () => {
    expect(compiledCodeFolder({ NODE_COMPILE_CACHE: parent })).toBeUndefined();
  });
});
