import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkStore } from '../../../../runtime/storage/lmdb/check-store.ts';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { openElsewhere } from '../../../support/open-elsewhere.ts';
import { testUnless } from '../../../support/skipping.ts';

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'kubeloom-owner-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const newNamespace = ['unshare', '--pid', '--fork', '--mount-proc'];
const cannotUnshare = spawnSync(newNamespace[0], [...newNamespace.slice(1), 'true']).status !== 0;

describe('a data directory has one owner', () => {
  test('in a process, and among processes: the second is told who the first is', async () => {
    const engine = await openLmdbEngine({ path });
    await expect(openLmdbEngine({ path })).rejects.toMatchObject({
      isStorageError: true,
      code: 'unavailable',
      message: `the store in ${path} is in use by process ${process.pid}`,
    });
    await expect(checkStore(path)).rejects.toMatchObject({ message: expect.stringContaining('is in use') });
    expect(await openElsewhere(path).said).toMatch(new RegExp(`is in use by process ${process.pid}$`));
    await engine.close();
    expect(await openElsewhere(path).said).toBe('open at 1');
    await (await openLmdbEngine({ path })).close();
  });

  testUnless(cannotUnshare ? 'this user cannot make a pid namespace' : undefined)(
    'even if it cannot see the processes of the other',
    async () => {
      const engine = await openLmdbEngine({ path });
      expect(await openElsewhere(path, { before: newNamespace }).said).toMatch(/is in use by process \d+$/);
      await engine.close();
      const { child, said } = openElsewhere(path, { before: [...newNamespace, '--kill-child'], stay: true });
      expect(await said).toBe('open at 1');
      await expect(openLmdbEngine({ path })).rejects.toMatchObject({ message: expect.stringMatching(/in use/) });
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  );

  test('whose name may be a lie, from elsewhere, or missing', async () => {
    const engine = await openLmdbEngine({ path });
    const names = [
      { text: '{"pid":1,"host":"elsewhere"}', said: 'process 1 on elsewhere' },
      { text: `{"pid":2147483647,"host":${JSON.stringify(hostname())}}`, said: 'process 2147483647' },
      { text: '{"pid', said: 'another process' },
    ];
    for (const { text, said } of names) {
      await writeFile(join(path, 'owner.lock'), text);
      await expect(openLmdbEngine({ path })).rejects.toMatchObject({ message: expect.stringMatching(`by ${said}$`) });
    }
    await engine.close();
  });

  test('that is gone when its process is killed', async () => {
    const { child, said } = openElsewhere(path, { stay: true });
    expect(await said).toBe('open at 1');
    await expect(openLmdbEngine({ path })).rejects.toMatchObject({
      message: `the store in ${path} is in use by process ${child.pid}`,
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    await (await openLmdbEngine({ path })).close();
  });
});
