import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { addonFile } from '../../../packaging/executable/boot/addons.ts';

describe('the file of an addon', () => {
  const { XDG_CACHE_HOME } = process.env;
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'kubeloom-cache-'));
    process.env.XDG_CACHE_HOME = home;
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
    if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = XDG_CACHE_HOME;
  });

  const bytes = Buffer.from('an addon');

  test('is in the cache, for its user alone', () => {
    const file = addonFile(bytes);
    expect(dirname(file)).toBe(join(home, 'kubeloom'));
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(statSync(dirname(file)).mode & 0o077).toBe(0);
  });

  test('is made again if it has other bytes', () => {
    writeFileSync(addonFile(bytes), 'another addon');
    expect(readFileSync(addonFile(bytes)).equals(bytes)).toBe(true);
  });

  test('is in no folder that others can write', () => {
    const shared = dirname(addonFile(bytes));
    chmodSync(shared, 0o777);
    const file = addonFile(bytes);
    expect(dirname(file)).not.toBe(shared);
    expect(existsSync(file)).toBe(true);
  });
});
