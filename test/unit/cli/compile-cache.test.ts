import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { compiledCodeFolder } from '../../../runtime/cli/compiled-code-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'kubeloom-compiled-'));
const own = join(parent, 'own');
const chosen = join(parent, 'chosen');
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Node 22.1 and later. */
const hasCache = 'enableCompileCache' in nodeModule;

/** Returns the folder in which a process keeps compiled code; "" for none. */
async function folderOf(given: string | undefined, env: Record<string, string>): Promise<string> {
  const script = `
    import * as nodeModule from 'node:module';
    import { keepCompiledCode } from './runtime/cli/compile-cache.ts';
    keepCompiledCode(${JSON.stringify(given)});
    process.stdout.write(nodeModule.getCompileCacheDir?.() ?? '');`;
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...inherited } = process.env;
  const args = ['--no-warnings', '--import', './test/support/ts-loader.mjs', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...inherited, ...env } });
  return stdout;
}

describe('the folder of compiled code', () => {
  const cases: readonly { given: string; folder?: string; env?: Record<string, string>; want: string }[] = [
    { given: 'the given one', folder: own, want: own },
    { given: 'none if no folder is given', want: '' },
    { given: 'the one that the user has chosen', folder: own, env: { NODE_COMPILE_CACHE: chosen }, want: chosen },
    { given: 'none if the user wants none', folder: own, env: { NODE_DISABLE_COMPILE_CACHE: '1' }, want: '' },
  ];

  test.each(cases)('is $given', async ({ folder, env = {}, want }) => {
    const found = await folderOf(folder, env);
    // Node adds a folder for its own version and the user
    if (!hasCache || want === '') expect(found).toBe('');
    else expect(found.startsWith(want)).toBe(true);
  });

  test('is none while the server runs from source', () => {
    expect(compiledCodeFolder()).toBeUndefined();
  });
});
