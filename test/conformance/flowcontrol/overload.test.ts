import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { respondText } from '../../../runtime/http/respond.ts';
import { openSession, startTestServing, type TestServing } from '../../support/test-serving.ts';
import { type Gate, limitsFor } from './limits.ts';

const open: TestServing[] = [];
const sessions: ClientHttp2Session[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await Promise.all(open.splice(0).map(({ gracefulShutdown }) => gracefulShutdown.close()));
});

interface Fixture {
  readonly serving: TestServing;
  readonly flowControl: FlowControl;
  readonly gate: Gate;
  as(user: string, path?: string): Client;
}

/** Opens endpoints behind real filters on a real port. They respond when the test releases them. */
async function openFixture(options: Parameters<typeof limitsFor>[0] = {}): Promise<Fixture> {
  const { filter, flowControl, gate } = limitsFor(options);
  const endpoints: ApiMiddleware = async (ctx) => {
    await gate.pass(ctx.state.user?.name ?? '');
    respondText(ctx, 200, 'done');
  };
  const serving = await startTestServing(endpoints, { requestTimeout: 60_000, http2MaxStreamsPerConnection: 1000 }, filter);
  open.push(serving);
  const session = openSession(serving);
  sessions.push(session);
  return {
    serving,
    flowControl: flowControl as FlowControl,
    gate,
    as: (user, path) => new Client(session, user, path),
  };
}

class Client {
  readonly stream: ClientHttp2Stream;
  readonly response: Promise<{ status: number; headers: Record<string, unknown>; body: string }>;

  constructor(session: ClientHttp2Session, user: string, path = '/api/v1/namespaces/x/pods/p') {
    const who = user === 'admin' ? {} : { 'impersonate-user': user, 'impersonate-group': 'testers' };
    this.stream = session.request({ ':path': path, ...who });
    this.response = this.#receive();
    this.response.catch(() => undefined);
  }

  async #receive(): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
    const [headers] = (await once(this.stream, 'response')) as [Record<string, unknown>];
    let body = '';
    for await (const part of this.stream.setEncoding('utf8')) body += part;
    return { status: Number(headers[':status']), headers, body };
  }
}

const level = ({ flowControl }: Fixture, name = 'shared') => {
  const found = flowControl.priorityLevels.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no level ${name}`);
  return found.queueSet;
};

/** Yields to the event loop until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('an elephant and a mouse on a priority level with two seats', () => {
  test('the mouse is dispatched next once executing requests finish, every time', async () => {
    const fixture = await openFixture();
    const elephants: Client[] = Array.from({ length: 200 }, () => fixture.as('elephant'));
    await until(() => level(fixture).waiting + level(fixture).executing === 200);
    for (let round = 0; round < 20; round++) {
      const mouse = fixture.as('mouse');
      await until(() => level(fixture).waiting + level(fixture).executing === 201);
      let before = 0;
      while (!fixture.gate.inside('mouse')) {
        await until(() => fixture.gate.size === 2);
        if (fixture.gate.inside('mouse')) break;
        fixture.gate.letOne('elephant');
        before++;
        elephants.push(fixture.as('elephant'));
        await until(() => level(fixture).waiting + level(fixture).executing === 201);
      }
      expect(before).toBeLessThanOrEqual(2);
      fixture.gate.letOne('mouse');
      expect((await mouse.response).status).toBe(200);
    }
    fixture.gate.letAll();
    const responses = await Promise.all(elephants.map(({ response }) => response));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  test('requests whose response needs no I/O are dispatched in fair order', async () => {
    const fixture = await openFixture();
    fixture.gate.letAll();
    const order: string[] = [];
    const note = (user: string) => async (client: Client) => {
      const { status } = await client.response;
      order.push(user);
      return status;
    };
    const elephants = Array.from({ length: 200 }, () => fixture.as('elephant')).map(note('elephant'));
    const mouse = note('mouse')(fixture.as('mouse'));
    expect(new Set(await Promise.all([...elephants, mouse]))).toEqual(new Set([200]));
    // one socket delivers its frames in few pieces; without yields the mouse would be last
    expect(order.indexOf('mouse')).toBeLessThan(100);
  });

  test('administrators are served while all others wait', async () => {
    const fixture = await openFixture();
    const crowd = Array.from({ length: 50 }, () => fixture.as('elephant'));
    await until(() => level(fixture).waiting === 48);
    const admins = Array.from({ length: 30 }, () => fixture.as('admin'));
    await until(() => level(fixture, 'exempt').executing === 30);
    fixture.gate.letAll('kubernetes-admin');
    const responses = await Promise.all(admins.map(({ response }) => response));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(level(fixture).waiting).toBe(48);
    fixture.gate.letAll();
    await Promise.all(crowd.map(({ response }) => response));
  });
});

describe('a request', () => {
  test('gets its flow schema and priority level in the response', async () => {
    const fixture = await openFixture();
    fixture.gate.letAll();
    expect((await fixture.as('mouse').response).headers).toMatchObject({
      'x-kubernetes-pf-flowschema-uid': 'uid-everybody',
      'x-kubernetes-pf-prioritylevel-uid': 'uid-shared',
    });
  });

  test('beyond the queue’s length is rejected in upstream’s words, and each rejection is counted', async () => {
    const fixture = await openFixture({ queueLengthLimit: 3 });
    const all = Array.from({ length: 12 }, () => fixture.as('elephant'));
    await until(() => level(fixture).totals.rejected === 7);
    fixture.gate.letAll();
    const responses = await Promise.all(all.map(({ response }) => response));
    const rejected = responses.filter(({ status }) => status === 429);
    expect([rejected.length, responses.filter(({ status }) => status === 200).length]).toEqual([7, 5]);
    expect(rejected[0].body).toBe('Too many requests, please try again later.\n');
    expect(rejected[0].headers).toMatchObject({
      'retry-after': '1',
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-kubernetes-pf-flowschema-uid': 'uid-everybody',
    });
    const text = fixture.flowControl.metrics.render();
    const labels = 'flow_schema="everybody",priority_level="shared"';
    expect(text).toContain(`rejected_requests_total{${labels},reason="queue-full"} 7`);
    expect(text).toContain(`dispatched_requests_total{${labels}} 5`);
  });

  test('that waits for a quarter of its deadline is rejected with the reason time-out', async () => {
    const fixture = await openFixture();
    const first = [fixture.as('elephant'), fixture.as('elephant')];
    await until(() => fixture.gate.size === 2);
    const late = await fixture.as('mouse', '/api/v1/namespaces/x/pods/p?timeout=1s').response;
    expect(late.status).toBe(429);
    expect(level(fixture).totals).toMatchObject({ timedOut: 1, cancelled: 0 });
    fixture.gate.letAll();
    await Promise.all(first.map(({ response }) => response));
  });

  test('whose client disconnects leaves the queue as cancelled', async () => {
    const fixture = await openFixture();
    const first = [fixture.as('elephant'), fixture.as('elephant')];
    await until(() => fixture.gate.size === 2);
    const gone = fixture.as('mouse');
    await until(() => level(fixture).waiting === 1);
    gone.stream.close();
    await until(() => level(fixture).waiting === 0);
    expect(level(fixture).totals).toMatchObject({ timedOut: 0, cancelled: 1, rejected: 1 });
    fixture.gate.letAll();
    await Promise.all(first.map(({ response }) => response));
  });

  test('that is long-running has no seat', async () => {
    const fixture = await openFixture();
    const log = fixture.as('mouse', '/api/v1/namespaces/x/pods/p/log');
    await until(() => fixture.gate.size === 1);
    expect(level(fixture).executing).toBe(0);
    fixture.gate.letAll();
    expect((await log.response).status).toBe(200);
  });

  test('that fails releases its seat', async () => {
    const fixture = await openFixture();
    fixture.gate.fail = new Error('boom');
    expect((await fixture.as('mouse').response).status).toBe(500);
    expect([level(fixture).executing, level(fixture).seatsInUse]).toEqual([0, 0]);
  });
});

describe('with max-in-flight limits', () => {
  test('requests beyond them are rejected, reads and writes separately, administrators never', async () => {
    const fixture = await openFixture({ plain: { readOnly: 2, mutating: 1 } });
    const first = [fixture.as('jane'), fixture.as('jane')];
    await until(() => fixture.gate.size === 2);
    const rejected = await fixture.as('joe').response;
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1']);
    expect(rejected.headers['x-kubernetes-pf-flowschema-uid']).toBeUndefined();
    const admin = fixture.as('admin');
    await until(() => fixture.gate.size === 3);
    fixture.gate.letAll();
    const responses = await Promise.all([...first, admin].map(({ response }) => response));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await fixture.as('joe').response).status).toBe(200);
  });

  test('requests whose response needs no I/O count if they arrive together', async () => {
    const fixture = await openFixture({ plain: { readOnly: 2, mutating: 1 } });
    fixture.gate.letAll();
    const crowd = Array.from({ length: 60 }, () => fixture.as('joe').response);
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect([statuses.includes(200), statuses.includes(429)]).toEqual([true, true]);
    for (let turn = 0; turn < 20; turn++) expect((await fixture.as('joe').response).status).toBe(200);
  });
});
