import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FaultPlanHandle, FaultPlanSpec, RunningServer } from '../../../runtime/index.ts';
import type { Fault, WatchFault } from '../../../runtime/testkit/faults/fault-plan.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';
import { type ArrivingEvents, type Protocol, WireClient } from '../../support/wire-client.ts';

const json = 'application/json';

let server: RunningServer;
let http: HttpClient;
let client: WireClient;
let plans: FaultPlanHandle[] = [];
let namespace: string;
let made = 0;

beforeAll(async () => {
  server = await startTestServer({ clock: 'manual' });
  http = HttpClient.for(server);
});
afterAll(async () => {
  http.close();
  await server.close();
});

async function add(fault: Fault, rest: Omit<FaultPlanSpec, 'fault'> = {}): Promise<FaultPlanHandle> {
  const plan = await server.faults.add({ match: { namespaces: [namespace] }, ...rest, fault });
  plans.push(plan);
  return plan;
}

const secrets = (): string => `/api/v1/namespaces/${namespace}/secrets`;

/** Creates objects, and returns their revisions. */
async function create(...names: string[]): Promise<number[]> {
  const revisions: number[] = [];
  for (const name of names) {
    const { json: created } = await http.send('POST', secrets(), JSON.stringify({ metadata: { name } }), json);
    revisions.push(Number(created.metadata.resourceVersion));
  }
  return revisions;
}

/** Opens a watch at the current revision, with bookmarks. */
const watch = (query = `resourceVersion=${server.revision()}`): Promise<ArrivingEvents> =>
  client.watch(`${secrets()}?watch=1&allowWatchBookmarks=true&${query}`);

/** Resolves when the server has nothing left to send. */
const sent = (): Promise<void> => server.clock.advance(1) as Promise<void>;

/** Makes a bookmark due in each watch. */
const bookmarks = (): Promise<unknown> => server.clock.advance('60s');

describe.each<Protocol>(['HTTP/1.1', 'HTTP/2', 'WebSocket'])('watches over %s', (protocol) => {
  beforeEach(async () => {
    client = new WireClient(server, protocol);
    namespace = `watched-${++made}`;
    await http.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }), json);
  });
  afterEach(() => {
    for (const plan of plans) plan.remove();
    plans = [];
    client.close();
  });

  test.each<[fault: WatchFault, want: string[]]>([
    [{ action: 'Close' }, ['BOOKMARK 0', 'Ended']],
    [{ action: 'Close', bookmarks: 'Never' }, ['Ended']],
    [{ action: 'Close', afterEvents: 2 }, ['ADDED a', 'ADDED b', 'Ended']],
    [{ action: 'Close', afterEvents: 2, bookmarks: 'Always' }, ['ADDED a', 'ADDED b', 'BOOKMARK 2', 'Ended']],
    [{ action: 'Expire' }, ['ERROR 410', 'Ended']],
    [{ action: 'Expire', bookmarks: 'Always' }, ['BOOKMARK 0', 'ERROR 410', 'Ended']],
    [{ action: 'Expire', afterEvents: 1 }, ['ADDED a', 'ERROR 410', 'Ended']],
    [{ action: 'Expire', afterEvents: 2, bookmarks: 'Always' }, ['ADDED a', 'ADDED b', 'BOOKMARK 2', 'ERROR 410', 'Ended']],
  ])('open ones meet %j', async (fault, want) => {
    // no other write happens meanwhile
    await sent();
    const begun = server.revision();
    const events = await watch();
    await sent();
    const plan = await add({ watch: fault });
    await create('a', 'b', 'c');
    const arrived = await events.take(want.length);
    expect(arrived.map((one) => one.replace(/(?<=BOOKMARK )\d+/, (at) => String(Number(at) - begun)))).toEqual(want);
    expect(plan.hits).toBe(1);
  });

  test.each<[bookmarks: WatchFault['bookmarks'], meanwhile: number]>([
    [undefined, 0],
    ['Never', 0],
    ['Always', 1],
  ])('that stall with bookmarks: %s are open and silent until the plan is removed', async (bookmarked, meanwhile) => {
    const plan = await add({ watch: { action: 'Stall', afterEvents: 1, bookmarks: bookmarked } });
    const events = await watch();
    const [first] = await create('a', 'b');
    expect(await events.next()).toBe('ADDED a');
    await bookmarks();
    await create('c');
    if (meanwhile > 0) expect(await events.next()).toBe(`BOOKMARK ${first}`);
    await sent();
    expect(events.arrived).toBe(0);
    plan.remove();
    expect(await events.take(2)).toEqual(['ADDED b', 'ADDED c']);
  });

  test('that stall do not end, whatever their timeout', async () => {
    const plan = await add({ watch: { action: 'Stall' } });
    const events = await watch(`resourceVersion=${server.revision()}&timeoutSeconds=5`);
    await create('a');
    await server.clock.advance('10s');
    expect(events.arrived).toBe(0);
    plan.remove();
    expect(await events.take(2)).toEqual(['ADDED a', 'Ended']);
  });

  test('with held events get them late, in order; those of other resources do not wait', async () => {
    const late = await watch();
    await sent();
    const plan = await add({ holdEvents: { duration: '10s' } }, { match: { resources: ['secrets'] } });
    expect(plan.hits).toBe(1);
    const endpoints = `/api/v1/namespaces/${namespace}/endpoints`;
    const prompt = await client.watch(`${endpoints}?watch=1&resourceVersion=${server.revision()}`);
    await create('a');
    await server.clock.advance('4s');
    await create('b');
    await http.send('POST', endpoints, '{"metadata":{"name":"prompt"}}', json);
    expect(await prompt.next()).toBe('ADDED prompt');
    expect(late.arrived).toBe(0);
    await server.clock.advance('6s');
    expect(await late.next()).toBe('ADDED a');
    await server.clock.advance('3s');
    expect(late.arrived).toBe(0);
    await server.clock.advance('1s');
    expect(await late.next()).toBe('ADDED b');
  });

  test('from resourceVersion 0 begin with a stale state, and then catch up', async () => {
    await create('old');
    await add({ staleRead: { age: '1m' } });
    await create('new');
    const events = await client.watch(`${secrets()}?watch=1&resourceVersion=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    expect(await events.take(2)).toEqual(['ADDED old', 'ADDED new']);
  });

  test('that are open lose their connection', async () => {
    const events = await watch();
    await sent();
    await add({ drop: {} }, { occurrence: { count: 1 } });
    expect(await events.next()).toBe('Broken');
    const again = await watch();
    await create('a');
    expect(await again.next()).toBe('ADDED a');
  });

  test('are cut in the midst of an event', async () => {
    await add({ cut: { afterBytes: 100 } }, { match: { verbs: ['watch'] } });
    const events = await watch();
    await create('a');
    expect(await events.next()).toBe('Broken');
  });

  test('end in good order when the server closes although they are stalled', async () => {
    const other = await startTestServer();
    const stalled = new WireClient(other, protocol);
    await other.faults.add({ fault: { watch: { action: 'Stall' } } });
    const events = await stalled.watch(`/api/v1/configmaps?watch=1&resourceVersion=${other.revision()}`);
    await other.close();
    expect(['Ended', 'Broken']).toContain(await events.next());
    stalled.close();
  });
});
