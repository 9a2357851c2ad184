import { chmodSync, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RotatingFile, type RotatingFileOptions } from '../../../runtime/audit/log/rotating-file.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const mebibyte = 1024 * 1024;
const line = (letter: string, bytes: number): Buffer => Buffer.from(`${letter.repeat(bytes - 1)}\n`);
const half = (letter: string): Buffer => line(letter, mebibyte / 2);

describe('a rotating file', () => {
  let folder: string;
  let path: string;
  let clock: ManualClock;
  let opened: RotatingFile[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-rotation-'));
    path = join(folder, 'logs', 'audit.log');
    clock = new ManualClock();
    opened = [];
  });

  afterEach(async () => {
    for (const file of opened) await file.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  function open(options: Partial<RotatingFileOptions> = {}): RotatingFile {
    const onCleanupError = (error: Error): never => {
      throw error;
    };
    const file = new RotatingFile({
      path,
      clock,
      maxSize: 1,
      maxAge: 0,
      maxBackups: 0,
      compress: false,
      onCleanupError,
      ...options,
    });
    opened.push(file);
    return file;
  }

  const names = async (): Promise<string[]> => (await readdir(join(folder, 'logs'))).sort();

  test('is private, appended to, and created with its folder', async () => {
    const first = open();
    first.writeSync([Buffer.from('a\n')]);
    await first.close();
    open().writeSync([Buffer.from('b\n'), Buffer.from('c\n')]);
    expect(await readFile(path, 'utf8')).toBe('a\nb\nc\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'logs'))).mode & 0o777).toBe(0o700);
  });

  test.each(['writeSync', 'write'] as const)('becomes a backup when a line of %s does not fit', async (method) => {
    const file = open();
    chmodSync(path, 0o640);
    await file[method]([half('a'), half('b'), half('c')]);
    clock.advance(1500);
    await file[method]([half('d'), half('e')]);
    expect(await names()).toEqual(['audit-2026-01-01T00-00-00.000.log', 'audit-2026-01-01T00-00-01.500.log', 'audit.log']);
    expect((await readFile(join(folder, 'logs', 'audit-2026-01-01T00-00-01.500.log'))).equals(Buffer.concat([half('c'), half('d')]))).toBe(
      true,
    );
    expect((await readFile(path)).equals(half('e'))).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  test('gives each backup a name of its own', async () => {
    const file = open();
    file.writeSync([half('a'), half('b'), half('c'), half('d'), half('e')]);
    expect(await names()).toEqual(['audit-2026-01-01T00-00-00.000.log', 'audit-2026-01-01T00-00-00.001.log', 'audit.log']);
  });

  test('counts what it finds', async () => {
    const first = open();
    first.writeSync([half('a')]);
    await first.close();
    open().writeSync([half('b'), half('c')]);
    expect(await names()).toHaveLength(2);
  });

  test('refuses a line that no file may hold', () => {
    expect(() => open().writeSync([line('a', mebibyte + 1)])).toThrow('write length 1048577 exceeds maximum file size 1048576');
  });

  test('keeps only so many backups, compressed', async () => {
    const file = open({ maxBackups: 2, compress: true });
    for (const letter of 'abcdefgh') {
      file.writeSync([half(letter)]);
      clock.advance(1000);
    }
    await file.close();
    expect(await names()).toEqual(['audit-2026-01-01T00-00-04.000.log.gz', 'audit-2026-01-01T00-00-06.000.log.gz', 'audit.log']);
    const newest = gunzipSync(await readFile(join(folder, 'logs', 'audit-2026-01-01T00-00-06.000.log.gz')));
    expect(newest.equals(Buffer.concat([half('e'), half('f')]))).toBe(true);
  });

  test('removes old backups when it is opened, and nothing else', async () => {
    await open().close();
    const others = ['audit-2025-12-20T00-00-00.000.log', 'audit-2025-12-20T00-00-00.000.log.gz'];
    const kept = ['audit-2025-12-31T00-00-00.000.log', 'audit-old.log', 'other-2025-12-20T00-00-00.000.log'];
    for (const name of [...others, ...kept]) await writeFile(join(folder, 'logs', name), '');
    await open({ maxAge: 7 }).close();
    expect(await names()).toEqual([...kept, 'audit.log'].sort());
  });

  test('goes on after a full disk', () => {
    const file = open({ path: '/dev/full' });
    expect(() => file.writeSync([Buffer.from('a\n')])).toThrow('ENOSPC');
    expect(() => file.writeSync([Buffer.from('b\n')])).toThrow('ENOSPC');
    expect(existsSync('/dev/full')).toBe(true);
  });
});
