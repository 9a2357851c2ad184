import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../support/manual-clock.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { TestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

let maps: string;
let count = 0;
const clock = new ManualClock();
const suite = TestServer.forSuite({ ...quietNamespaces, clock, compactionWindow: 0 });

beforeEach(async () => {
  const name = `w${count++}`;
  await suite.http.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name } }), 'application/json');
  maps = `/api/v1/namespaces/${name}/configmaps`;
});

async function put(name: string, data: string, labels: Record<string, string> = {}): Promise<string> {
  const body = JSON.stringify({ metadata: { name, labels }, data: { data } });
  const made = await suite.http.send('POST', maps, body, 'application/json');
  if (made.status === 201) return made.json.metadata.resourceVersion;
  return (await suite.http.send('PUT', `${maps}/${name}`, body, 'application/json')).json.metadata.resourceVersion;
}

const remove = async (name: string): Promise<void> => {
  await suite.http.send('DELETE', `${maps}/${name}`);
};
const watch = (query: string, headers?: Record<string, string>) =>
  WatchStream.open(suite.server, `${maps}?watch=1${query === '' ? '' : `&${query}`}`, headers);
const summaries = (events: readonly { type: string; object: { metadata: { name: string } } }[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`);

describe('a watch', () => {
  test('without a version sends initial events, then each change', async () => {
    await put('a', '1');
    const stream = await watch('');
    await put('b', '1');
    await put('a', '2');
    await remove('a');
    const events = await stream.take(4);
    expect(summaries(events)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED a']);
    expect(Number(events[3].object.metadata.resourceVersion)).toBeGreaterThan(Number(events[2].object.metadata.resourceVersion));
    expect(events[3].object.data).toEqual({ data: '2' });
    stream.close();
  });

  test('from a version sends later changes, each once', async () => {
    const version = await put('a', '1');
    await put('a', '2');
    await put('b', '1');
    const stream = await watch(`resourceVersion=${version}`);
    await put('c', '1');
    expect(summaries(await stream.take(3))).toEqual(['MODIFIED a', 'ADDED b', 'ADDED c']);
    stream.close();
  });

  test('sends objects that start and stop matching', async () => {
    const version = await put('a', '1', { in: 'no' });
    const stream = await watch(`resourceVersion=${version}&labelSelector=in%3Dyes`);
    await put('a', '2', { in: 'yes' });
    await put('a', '3', { in: 'yes' });
    const left = await put('a', '4', { in: 'no' });
    const events = await stream.take(3);
    expect(summaries(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect(events[2].object).toMatchObject({ data: { data: '3' }, metadata: { resourceVersion: left } });
    stream.close();
  });

  test('of one name sends no other objects', async () => {
    const stream = await watch('fieldSelector=metadata.name%3Db');
    await put('a', '1');
    await put('b', '1');
    expect(summaries(await stream.take(1))).toEqual(['ADDED b']);
    stream.close();
  });

  test('sends bookmarks if asked for, at the latest at its end', async () => {
    const version = await put('a', '1');
    const stream = await watch(`resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=90`);
    const later = await put('b', '1');
    await stream.take(1);
    clock.advance(60_000);
    const [bookmark] = await stream.take(1);
    expect(bookmark).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: later } },
    });
    clock.advance(30_000);
    expect((await stream.rest()).map(({ type }) => type)).toEqual(['BOOKMARK']);
  });

  test('sends initial events and marks their end', async () => {
    await put('a', '1');
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=';
    const stream = await watch(query);
    const [added, end] = await stream.take(2);
    expect(added.type).toBe('ADDED');
    expect(end).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    stream.close();
  });

  test('of compacted history is gone', async () => {
    const version = await put('a', '1');
    await put('a', '2');
    await suite.server.compact();
    const { status, json } = await suite.http.get(`${maps}?watch=1&resourceVersion=${version}`);
    expect([status, json.type]).toEqual([200, 'ERROR']);
    expect(json.object).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
    expect(json.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
  });

  test('in tables has the headers once', async () => {
    await put('a', '1');
    const stream = await watch('', { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' });
    await put('b', '1');
    const [first, second] = await stream.take(2);
    expect(first.object).toMatchObject({ kind: 'Table', rows: [{ cells: ['a', 1, expect.anything()] }] });
    expect(first.object.columnDefinitions).toHaveLength(3);
    expect(second.object.columnDefinitions).toBeNull();
    stream.close();
  });

  test('below /watch/ sends the same events', async () => {
    await put('a', '1');
    const stream = await WatchStream.open(suite.server, maps.replace('/api/v1/', '/api/v1/watch/'));
    expect(summaries(await stream.take(1))).toEqual(['ADDED a']);
    stream.close();
  });

  test('in YAML is rejected', async () => {
    const response = await suite.http.get(`${maps}?watch=1`, { headers: { accept: 'application/yaml' } });
    expect(response.status).toBe(406);
  });
});
