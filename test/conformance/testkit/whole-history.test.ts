import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer, ServerOptions } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startTestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const maps = '/api/v1/namespaces/default/configmaps';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
const dataOf = (items: any[]): Record<string, string> =>
  Object.fromEntries(
    items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt').map(({ metadata, data }) => [metadata.name, data.is]),
  );

/** Successive servers, on one store if it is on disk. */
class HistoryServers {
  readonly clock = new ManualClock();
  readonly #options: ServerOptions;
  server!: RunningServer;
  http!: HttpClient;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.server = await startTestServer({ ...this.#options, history: 'all', clock: this.clock });
    this.http = HttpClient.for(this.server);
  }

  async close(): Promise<void> {
    this.http.close();
    await this.server.close();
  }

  /** Writes an object. Returns its resourceVersion. */
  async put(name: string, is: string): Promise<string> {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { is } });
    const updated = await this.http.send('PUT', `${maps}/${name}`, body, 'application/json');
    const { status, json } = updated.status === 404 ? await this.http.send('POST', maps, body, 'application/json') : updated;
    expect([200, 201]).toContain(status);
    return json.metadata.resourceVersion;
  }
}

describe.each(['memory', 'lmdb'] as const)('the whole history of a server on %s', (storage) => {
  let dataDir: string;
  let servers: HistoryServers;
  const states: { version: string; data: Record<string, string> }[] = [];
  let token: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kubeloom-history-'));
    servers = new HistoryServers({ storage, dataDir });
    await servers.open();
    const note = async (version: string) => states.push({ version, data: dataOf((await servers.http.get(maps)).json.items) });
    for (const [name, is] of ['a1', 'b1', 'a2', 'c1', 'b2']) await note(await servers.put(name, is));
    token = (await servers.http.get(`${maps}?limit=2`)).json.metadata.continue;
    await servers.http.send('DELETE', `${maps}/b`);
    await note((await servers.http.get(maps)).json.metadata.resourceVersion);
    await note(await servers.put('b', '3'));
    servers.clock.advance(24 * 60 * 60 * 1000);
    await note(await servers.put('a', '3'));
    if (storage === 'lmdb') {
      await servers.close();
      await servers.open();
    }
  });
  afterAll(async () => {
    await servers.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('has lists at exactly each revision', async () => {
    for (const { version, data } of states) {
      const query = `resourceVersion=${version}&resourceVersionMatch=Exact`;
      const { json } = await servers.http.get(`${maps}?${query}`);
      expect({ version: json.metadata.resourceVersion, data: dataOf(json.items) }).toEqual({ version, data });
    }
  });

  test('has each object at exactly each revision', async () => {
    for (const { version, data } of states) {
      const query = `resourceVersion=${version}&resourceVersionMatch=Exact`;
      for (const name of ['a', 'b', 'c']) {
        const { status, json } = await servers.http.get(`${maps}/${name}?${query}`);
        expect(status === 200 ? json.data.is : status).toBe(data[name] ?? 404);
      }
    }
  });

  test('is what a watch from its first revision sends', async () => {
    const watch = await WatchStream.open(servers.server, `${maps}?watch=1&resourceVersion=1`);
    const seen: string[] = [];
    while (seen.length < 8) {
      const { type, object } = (await watch.next()) ?? {};
      if (object.metadata.name !== 'kube-root-ca.crt') seen.push(`${type} ${object.metadata.name}${object.data.is}`);
    }
    watch.close();
    const want = ['ADDED a1', 'ADDED b1', 'MODIFIED a2', 'ADDED c1', 'MODIFIED b2', 'DELETED b2', 'ADDED b3', 'MODIFIED a3'];
    expect(seen).toEqual(want);
  });

  test('ends no pages', async () => {
    const { status, json } = await servers.http.get(`${maps}?limit=100&continue=${token}`);
    expect([status, dataOf(json.items)]).toEqual([200, { c: '1' }]);
  });

  test.each([
    ['resourceVersionMatch=Exact', 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
    ['resourceVersion=0&resourceVersionMatch=Exact', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
    ['resourceVersion=5&resourceVersionMatch=Never', 'supported values: "Exact", "NotOlderThan", ""'],
  ])('has no object for %s', async (query, message) => {
    const { status, json } = await servers.http.get(`${maps}/a?${query}`);
    expect([status, json.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test('can be compacted on request', async () => {
    const { version } = states[3];
    await servers.server.compact(Number(version));
    const at = (one: string) => `${maps}/a?resourceVersion=${one}&resourceVersionMatch=Exact`;
    expect((await servers.http.get(at(version))).json.data.is).toBe('2');
    const { status, json } = await servers.http.get(at(states[2].version));
    expect([status, json.reason]).toEqual([410, 'Expired']);
  });
});

test('a server without its whole history reads a get as upstream does', async () => {
  const server = await startTestServer();
  const http = HttpClient.for(server);
  const url = '/api/v1/namespaces/default?resourceVersion=1&resourceVersionMatch=Exact';
  expect((await http.get(url)).status).toBe(200);
  http.close();
  await server.close();
});
