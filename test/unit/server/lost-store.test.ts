import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'kubeloom-lost-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe('a server in a process of somebody else whose data directory is lost', () => {
  test('says why, ends its watches and closes itself, and the process goes on', async () => {
    const dataDir = join(base, 'data');
    const server = await startServer({ storage: 'lmdb', dataDir });
    const http = HttpClient.for(server);
    const watch = http.get('/api/v1/namespaces?watch=true&resourceVersion=0');
    await rename(dataDir, join(base, 'elsewhere'));
    const error = await server.failed;
    expect(error.message).toBe(`the store in ${dataDir} is lost: ${dataDir} was moved or removed`);
    expect((await watch).status).toBe(200);
    await server.close();
    await expect(http.get('/readyz')).rejects.toThrow();
    http.close();
    await rename(join(base, 'elsewhere'), dataDir);
    const next = await startServer({ storage: 'lmdb', dataDir });
    expect(next.revision()).toBeGreaterThan(1);
    await next.close();
  });

  test('never says so when it is only closed', async () => {
    const server = await startServer({ storage: 'lmdb', dataDir: join(base, 'data') });
    await server.close();
    expect(await Promise.race([server.failed, Promise.resolve('closed')])).toBe('closed');
  });
});
