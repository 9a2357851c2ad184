import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder } from '../../../runtime/machinery/files/make-folder.ts';
import { testUnless } from '../../support/skipping.ts';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'kubeloom-folder-'));
  await writeFile(join(base, 'file'), '');
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe('a folder', () => {
  test.each(['new', 'a/b/c', 'a/b/c', '.'])('%s is there afterwards', async (name) => {
    const path = join(base, name);
    makeFolder(path);
    const made = await stat(path);
    expect([made.isDirectory(), made.mode & 0o777]).toEqual([true, 0o700]);
  });

  test.each([
    ['file', 'EEXIST'],
    ['file/below', 'ENOTDIR'],
    ['file/far/below', 'ENOTDIR'],
  ])('%s cannot be made: %s', (name, code) => {
    expect(() => makeFolder(join(base, name))).toThrow(expect.objectContaining({ code }));
  });

  testUnless(existsSync('/proc') ? undefined : 'there is no /proc')('below /proc cannot be made: ENOENT', () => {
    expect(() => makeFolder('/proc/kubeloom/data')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});
