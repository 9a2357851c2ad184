import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { describeUnless } from '../../support/skipping.ts';
import { missingSmallDisk, SmallDisk } from '../../support/small-disk.ts';

const path = '/api/v1/namespaces/default/configmaps';

describeUnless(missingSmallDisk)('a server whose disk is full', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = new SmallDisk(10);
  });
  afterEach(() => disk.unmount());

  test('says so, serves reads and deletions, is not ready, and recovers when there is space', async () => {
    const clock = new ManualClock();
    const dataDir = join(disk.path, 'data');
    const server = await startServer({ clock, storage: 'lmdb', dataDir, compactionWindow: 10_000 });
    const http = HttpClient.for(server);
    try {
      const create = async (name: string) => {
        const data = { pad: randomBytes(40_000).toString('base64') };
        return http.send('POST', path, JSON.stringify({ metadata: { name }, data }), 'application/json');
      };
      const names: string[] = [];
      let response = await create('a0');
      for (; response.status === 201; response = await create(`a${names.length}`)) names.push(`a${names.length}`);
      const message = `cannot write to the store in ${dataDir}: no space left on device`;
      expect(response).toMatchObject({ status: 500, json: { status: 'Failure', code: 500, message } });
      expect(names.length).toBeGreaterThan(5);
      expect((await http.get(`${path}/a0`)).status).toBe(200);
      expect((await http.get('/readyz')).status).toBe(500);
      expect((await http.get('/livez')).status).toBe(200);
      for (const name of names.splice(2)) {
        expect((await http.send('DELETE', `${path}/${name}`)).status).toBe(200);
      }
      // until compaction frees the space of deleted objects
      do {
        clock.advance(1000);
        response = await create('b');
      } while (response.status === 500);
      expect(response.status).toBe(201);
      expect((await http.get('/readyz')).status).toBe(200);
    } finally {
      http.close();
      await server.close();
    }
  });

  test('does not start with a new store', async () => {
    disk.fill();
    await expect(startServer({ storage: 'lmdb', dataDir: join(disk.path, 'data') })).rejects.toThrow(/no space|ENOSPC/i);
  });
});
