import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { AuditMetrics } from '../../../runtime/audit/audit-metrics.ts';
import type { Backend } from '../../../runtime/audit/backend.ts';
import type { AuditEvent } from '../../../runtime/audit/event.ts';
import { PolicyRuleEvaluator } from '../../../runtime/audit/policy/checker.ts';
import { withAudit } from '../../../runtime/filters/audit.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { openWatchStream } from '../../../runtime/http/message-stream.ts';
import { respondObject } from '../../../runtime/http/respond.ts';
import { badRequest } from '../../../runtime/machinery/errors/status.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { http2Get, startTestServing, type TestServing } from '../../support/test-serving.ts';

class RecordingBackend implements Backend {
  readonly name = 'recording';
  readonly #waiting: { readonly count: number; resolve(): void }[] = [];
  readonly events: AuditEvent[] = [];

  processEvents(events: readonly AuditEvent[]): boolean {
    this.events.push(...events);
    for (const { count, resolve } of this.#waiting) if (this.events.length >= count) resolve();
    return true;
  }

  /** Resolves with the stages and statuses of all events when there are at least `count`. */
  async got(count: number): Promise<readonly (readonly [stage: string, status: object | undefined])[]> {
    if (this.events.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    return this.events.map(({ fields }) => [fields.stage, fields.responseStatus]);
  }

  async shutdown(): Promise<void> {}
}

describe('the audit of a request', () => {
  let serving: TestServing | undefined;

  afterEach(async () => {
    await serving?.gracefulShutdown.close();
    serving = undefined;
  });

  async function open(
    endpoint: ApiMiddleware,
    clock = new ManualClock(),
  ): Promise<{ opened: TestServing; backend: RecordingBackend; http: HttpClient }> {
    const [backend, metrics] = [new RecordingBackend(), new AuditMetrics()];
    const policy = new PolicyRuleEvaluator({ rules: [{ level: 'Metadata' }] });
    const filter = withAudit({ policy, backend, metrics, clock });
    serving = await startTestServing((ctx, next) => filter(ctx, () => endpoint(ctx, next)), { clock });
    return { opened: serving, backend, http: HttpClient.for(serving) };
  }

  test.each<[string, unknown, number, string, object]>([
    [
      'crashes ends with a panic',
      new TypeError('oops'),
      500,
      'Panic',
      { status: 'Failure', message: "APIServer panic'd: oops", reason: 'InternalError', code: 500 },
    ],
    ['fails ends with the error', badRequest('no'), 400, 'ResponseComplete', { message: 'no', reason: 'BadRequest', code: 400 }],
  ])('that %s', async (_, error, code, stage, status) => {
    for (const endpoint of [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ]) {
      const { backend, http } = await open(endpoint);
      expect((await http.get('/x')).status).toBe(code);
      http.close();
      expect(await backend.got(2)).toEqual([
        ['RequestReceived', undefined],
        [stage, expect.objectContaining(status)],
      ]);
      await serving?.gracefulShutdown.close();
    }
  });

  test('that takes too long ends with the timeout', async () => {
    const clock = new ManualClock();
    let started = (): void => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { backend, http } = await open(async ({ state }) => {
      started();
      await new Promise((_, reject) => state.signal.addEventListener('abort', () => reject(state.signal.reason)));
    }, clock);
    const response = http.get('/x?timeout=5s');
    await running;
    clock.advance(6000);
    expect((await response).status).toBe(504);
    http.close();
    expect((await backend.got(2))[1]).toEqual(['ResponseComplete', expect.objectContaining({ reason: 'Timeout', code: 504 })]);
  });

  test('whose client goes away ends early', async () => {
    let arrived = (): void => {};
    const running = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { backend, http } = await open(async ({ state }) => {
      arrived();
      await new Promise((_, reject) => state.signal.addEventListener('abort', () => reject(state.signal.reason)));
    });
    const response = http.get('/x').catch(() => undefined);
    await running;
    http.close();
    await response;
    expect((await backend.got(2))[1]).toEqual(['ResponseComplete', { status: 'Success', message: 'Connection closed early', code: 200 }]);
  });

  test('is the same over HTTP/2', async () => {
    const { opened, backend, http } = await open((ctx) => respondObject(ctx, 201, {}));
    http.close();
    expect((await http2Get(opened, '/x')).status).toBe(201);
    expect(await backend.got(2)).toEqual([
      ['RequestReceived', undefined],
      ['ResponseComplete', { code: 201 }],
    ]);
    expect(backend.events[0].fields.request.sourceIPs).toEqual(['127.0.0.1']);
  });

  test('starts with 101 for a watch over WebSocket', async () => {
    const { opened, backend, http } = await open(async (ctx) => {
      const stream = await openWatchStream(ctx, 'application/json', true);
      stream?.end();
    });
    http.close();
    const { caCertificate: ca, admin, url } = opened;
    const socket = new WebSocket(`${url.replace('https', 'wss')}/api/v1/pods?watch=1`, {
      origin: url,
      ca,
      cert: admin.certificate,
      key: admin.key,
    });
    await new Promise((resolve) => socket.on('close', resolve));
    expect(await backend.got(3)).toEqual([
      ['RequestReceived', undefined],
      ['ResponseStarted', { code: 101 }],
      ['ResponseComplete', { code: 101 }],
    ]);
  });
});
