import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import type { FaultPlanSpec, StatusFault } from '../../../runtime/testkit/faults/fault-plan.ts';
import type { FaultPlanHandle } from '../../../runtime/testkit/faults/faults.ts';
import { startTestServer } from '../../support/test-server.ts';
import { type Arrived, type Protocol, WireClient } from '../../support/wire-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const operator = { 'user-agent': 'my-operator/v1' };

let server: RunningServer;
let client: WireClient;
let plans: FaultPlanHandle[] = [];
let made = 0;

beforeAll(async () => {
  server = await startTestServer({ clock: 'manual' });
});
afterAll(() => server.close());
afterEach(() => {
  for (const plan of plans) plan.remove();
  plans = [];
  client.close();
});

async function add(spec: FaultPlanSpec): Promise<FaultPlanHandle> {
  const plan = await server.faults.add(spec);
  plans.push(plan);
  return plan;
}

/** Returns the name of a new object. */
const fresh = (): string => `map-${++made}`;

const create = (name: string, headers: Record<string, string> = {}): Promise<Arrived> =>
  client.send({ method: 'POST', path: maps, body: { metadata: { name } }, headers });

const status = async (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  (await client.send({ path, headers })).status;

const isLost = ({ status, isWhole }: Arrived): boolean => status === undefined && !isWhole;

describe.each<Protocol>(['HTTP/1.1', 'HTTP/2'])('over %s', (protocol) => {
  beforeEach(() => {
    client = new WireClient(server, protocol);
  });

  test.each<[given: StatusFault, want: object]>([
    [
      { code: 429, retryAfterSeconds: 7 },
      { reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } },
    ],
    [{ code: 409 }, { reason: 'AlreadyExists', message: 'the server reported a conflict' }],
    [
      { code: 500, message: 'etcdserver: leader changed' },
      { reason: 'InternalError', message: 'etcdserver: leader changed' },
    ],
    [{ code: 503 }, { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' }],
    [{ code: 504, reason: 'Custom' }, { reason: 'Custom' }],
  ])('a status %j is the answer, and nothing happens', async (fault, want) => {
    const name = fresh();
    const plan = await add({ match: { verbs: ['create'], resources: ['configmaps'] }, fault: { status: fault } });
    const answer = await create(name);
    expect(answer.status).toBe(fault.code);
    expect(answer.headers['retry-after']).toBe(fault.retryAfterSeconds?.toString());
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', status: 'Failure', code: fault.code, ...want });
    expect(await status(`${maps}/${name}`)).toBe(404);
    expect([plan.matches, plan.hits]).toEqual([1, 1]);
  });

  test('an update that meets a 409 reads that somebody else was faster', async () => {
    const name = fresh();
    await create(name);
    await add({ match: { verbs: ['update'] }, fault: { status: { code: 409 } } });
    const { body } = await client.send({ method: 'PUT', path: `${maps}/${name}`, body: { metadata: { name } } });
    expect(JSON.parse(body).message).toBe(
      `Operation cannot be fulfilled on configmaps "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    );
  });

  test('a delay before a write keeps it from happening until then', async () => {
    const name = fresh();
    const plan = await add({ match: { verbs: ['create'] }, fault: { delay: { duration: '5s' } } });
    const created = create(name);
    await plan.waitForHits(1);
    expect(await status(`${maps}/${name}`)).toBe(404);
    await server.clock.advance('5s');
    expect((await created).status).toBe(201);
  });

  test('a delay after a write keeps only the answer', async () => {
    const name = fresh();
    await add({ match: { verbs: ['create'] }, fault: { delay: { duration: '5s', when: 'AfterRequest' } } });
    let isAnswered = false;
    const created = create(name).finally(() => {
      isAnswered = true;
    });
    const reader = new WireClient(server, 'HTTP/1.1');
    while ((await reader.send({ path: `${maps}/${name}` })).status !== 200);
    reader.close();
    expect(isAnswered).toBe(false);
    await server.clock.advance('5s');
    expect(await created).toMatchObject({ status: 201, isWhole: true });
  });

  test.each(['BeforeRequest', 'AfterRequest'] as const)('a connection that drops %s', async (when) => {
    const name = fresh();
    await add({ match: { verbs: ['create'] }, occurrence: { count: 1 }, fault: { drop: { when } } });
    expect(isLost(await create(name))).toBe(true);
    expect(await status(`${maps}/${name}`)).toBe(when === 'AfterRequest' ? 200 : 404);
    expect((await create(name)).status).toBe(when === 'AfterRequest' ? 409 : 201);
  });

  test.each<FaultPlanSpec['fault'][]>([
    [{ drop: { when: 'AfterRequest' } }, { delay: { duration: '5s', when: 'AfterRequest' } }],
    [{ delay: { duration: '5s', when: 'AfterRequest' } }, { drop: { when: 'AfterRequest' } }],
    [{ cut: { afterBytes: 10 } }, { delay: { duration: '5s', when: 'AfterRequest' } }],
    [{ delay: { duration: '5s', when: 'AfterRequest' } }, { cut: { afterBytes: 10 } }],
  ])('an answer may meet several faults: %j, %j', async (...faults) => {
    const name = fresh();
    for (const fault of faults) await add({ match: { verbs: ['create'] }, fault });
    let answer: Arrived | undefined;
    void create(name).then((arrived) => {
      answer = arrived;
    });
    while (answer === undefined) await server.clock.advance('5s');
    const { isWhole, body } = answer as Arrived;
    expect(isWhole).toBe(false);
    expect(body.length).toBe(faults.some(({ cut }) => cut) ? 10 : 0);
    expect(await status(`${maps}/${name}`)).toBe(200);
  });

  test.each([0, 1, 100])('a body is cut after %d bytes', async (afterBytes) => {
    const name = fresh();
    await create(name);
    const path = `${maps}/${name}`;
    const { body: whole } = await client.send({ path });
    await add({ match: { names: [name] }, occurrence: { count: 1 }, fault: { cut: { afterBytes } } });
    const answer = await client.send({ path });
    expect(answer).toMatchObject({ status: 200, body: whole.slice(0, afterBytes), isWhole: false });
    expect(await client.send({ path })).toMatchObject({ status: 200, body: whole, isWhole: true });
  });

  test('reads of any version are as old as the plan says, and others are not', async () => {
    const before = fresh();
    await create(before);
    await add({ match: { resources: ['configmaps'] }, fault: { staleRead: { age: '10s' } } });
    await server.clock.advance('3s');
    const after = fresh();
    await create(after);
    const path = `${maps}/${after}`;
    const names = async (query: string): Promise<string[]> => {
      const { items } = JSON.parse((await client.send({ path: `${maps}${query}` })).body);
      return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
    expect(await status(`${path}?resourceVersion=0`)).toBe(404);
    expect(await status(path)).toBe(200);
    expect(await names('?resourceVersion=0')).toContain(before);
    expect(await names('?resourceVersion=0')).not.toContain(after);
    expect(await names('')).toContain(after);
    await server.clock.advance('10s');
    expect(await status(`${path}?resourceVersion=0`)).toBe(200);
  });

  test('after a compaction, what is old is gone', async () => {
    const old = server.revision();
    await create(fresh());
    const plan = await add({ match: { names: ['nothing'] }, fault: { compact: {} } });
    expect(await status(`${maps}?resourceVersion=${old}&resourceVersionMatch=Exact`)).toBe(200);
    expect(await status(`${maps}/nothing`)).toBe(404);
    expect(plan.hits).toBe(1);
    expect(await status(`${maps}?resourceVersion=${old}&resourceVersionMatch=Exact`)).toBe(410);
  });

  test('a restart drops every connection, refuses new ones, and serves the same objects on the same port', async () => {
    const name = fresh();
    await create(name);
    const bystander = new WireClient(server, 'HTTP/1.1');
    const watch = await bystander.watch(`${maps}?watch=1&resourceVersion=${server.revision()}`);
    await add({ match: { names: [name], verbs: ['delete'] }, fault: { restart: {} } });
    expect(isLost(await client.send({ method: 'DELETE', path: `${maps}/${name}` }))).toBe(true);
    expect(await watch.next()).toBe('Broken');
    expect(await status(`${maps}/${name}`)).toBe(undefined);
    let answered: number | undefined;
    while (answered === undefined) answered = await status(`${maps}/${name}`);
    expect(answered).toBe(200);
    bystander.close();
  });

  test('a client that is cut off reaches nothing until the time is over, and others do', async () => {
    const watch = await client.watch(`${maps}?watch=1&resourceVersion=${server.revision()}`, operator);
    const plan = await add({
      match: { userAgents: ['my-operator/*'], verbs: ['get'] },
      fault: { partition: { duration: '1m' } },
    });
    expect(await status('/api/v1/namespaces/default', operator)).toBe(undefined);
    expect(await watch.next()).toBe('Broken');
    expect(isLost(await create(fresh(), operator))).toBe(true);
    expect(await status('/api/v1/namespaces/default')).toBe(200);
    await server.clock.advance('1m');
    expect((await create(fresh(), operator)).status).toBe(201);
    expect(plan.hits).toBe(1);
  });

  test('plans that hit the same request all act, and are hit on their own terms', async () => {
    const [skips, all] = await Promise.all([
      add({ match: { verbs: ['get'] }, occurrence: { skip: 1, count: 1 }, fault: { status: { code: 503 } } }),
      add({ match: { names: ['default'] }, fault: { delay: { duration: '1ms' } } }),
    ]);
    const answers: (number | undefined)[] = [];
    for (let count = 1; count <= 3; count++) {
      const answer = status('/api/v1/namespaces/default');
      await all.waitForHits(count);
      await server.clock.advance('1ms');
      answers.push(await answer);
    }
    expect(answers).toEqual([200, 503, 200]);
    expect([skips.matches, skips.hits, all.matches, all.hits]).toEqual([3, 1, 3, 3]);
  });
});

test('a fork without a port has faults of its own', async () => {
  const fork = await server.fork({ listen: false });
  const ask = (): Promise<number | undefined> =>
    fork.fetch('/api/v1/namespaces').then(
      (response) => response.status,
      () => undefined,
    );
  const occurrence = { count: 1 };
  await fork.faults.add({ occurrence, fault: { drop: {} } });
  expect([await ask(), await ask()]).toEqual([undefined, 200]);
  await fork.faults.add({ occurrence, fault: { restart: {} } });
  expect([await ask(), await ask()]).toEqual([undefined, 200]);
  client = new WireClient(server, 'HTTP/1.1');
  expect(await status('/api/v1/namespaces')).toBe(200);
  await fork.close();
});
