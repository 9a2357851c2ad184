import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ServerOptions, startServer } from '../../../../runtime/index.ts';
import { compactStore } from '../../../../runtime/storage/lmdb/compact-store.ts';
import { HttpClient } from '../../../support/http-client.ts';

describe('files of a server are private to its user', () => {
  let folder: string;
  let mask: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-files-'));
    mask = process.umask(0);
  });
  afterEach(async () => {
    process.umask(mask);
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the modes of everything below the folder, by path. */
  const modes = async (): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const name of (await readdir(folder, { recursive: true })).sort()) {
      found[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8);
    }
    return found;
  };

  const serveOnce = async (options: ServerOptions = {}): Promise<void> => {
    const server = await startServer({
      builtin: false,
      storage: 'lmdb',
      dataDir: join(folder, 'data'),
      certDir: join(folder, 'certs'),
      writeKubeconfig: join(folder, 'kube', 'config'),
      ...options,
    });
    const http = HttpClient.for(server);
    // creates the signing key of tokens
    await http.get('/openid/v1/jwks');
    http.close();
    await server.close();
  };

  const folders = ['certs', 'data', 'kube'];

  test('folders are 0700, files 0600, for any umask', async () => {
    await serveOnce();
    const found = await modes();
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['data/data.mdb', 'certs/ca.crt', 'certs/sa.pub']));
    for (const [name, mode] of Object.entries(found)) {
      expect([name, mode]).toEqual([name, folders.includes(name) ? '700' : '600']);
    }
  });

  test('files that others could read become private; an existing folder does not change', async () => {
    await serveOnce();
    for (const name of Object.keys(await modes())) if (!folders.includes(name)) await chmod(join(folder, name), 0o644);
    await chmod(join(folder, 'data'), 0o750);
    await serveOnce();
    const found = await modes();
    expect(found.data).toBe('750');
    const open = Object.entries(found).filter(([name, mode]) => !folders.includes(name) && mode !== '600');
    // the secret of another user, which is never read
    expect(open).toEqual([['certs/sa.pub', '644']]);
  });

  test('a store stays private when it is compacted', async () => {
    await mkdir(join(folder, 'data'), { mode: 0o755 });
    await serveOnce();
    await compactStore(join(folder, 'data'));
    expect(await modes()).toMatchObject({ data: '755', 'data/data.mdb': '600', 'data/lock.mdb': '600' });
  });
});
