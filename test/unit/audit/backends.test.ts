import { describe, expect, test } from '@jest/globals';
import { AuditMetrics } from '../../../runtime/audit/audit-metrics.ts';
import { AuditedRequest } from '../../../runtime/audit/audited-request.ts';
import { type Backend, UnionBackend } from '../../../runtime/audit/backend.ts';
import { type BatchConfig, BufferedBackend } from '../../../runtime/audit/buffered.ts';
import { AuditEvent } from '../../../runtime/audit/event.ts';
import { LogBackend } from '../../../runtime/audit/log/backend.ts';
import type { LogOutput } from '../../../runtime/audit/log/output.ts';
import { PluginErrors } from '../../../runtime/audit/plugin-errors.ts';
import { TruncateBackend } from '../../../runtime/audit/truncate.ts';
import { silentLogger } from '../../../runtime/machinery/logger.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const message = { url: '/x', headers: {}, rawHeaders: [], socket: {} } as never;

function eventNamed(auditId: string, body?: string): AuditEvent {
  const request = new AuditedRequest({ message, auditId, verb: 'get', receivedAt: 0 });
  const requestObject = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return new AuditEvent({ request, level: 'Request', stage: 'RequestReceived', stageTimestamp: 0, requestObject });
}

const events = (...names: string[]): AuditEvent[] => names.map((name) => eventNamed(name));

/** Records batches of audit IDs. */
class RecordingBackend implements Backend {
  readonly name = 'recording';
  readonly batches: string[][] = [];
  isClosed = false;
  /** The result of processEvents. */
  result: boolean | Promise<boolean> = true;

  processEvents(batch: readonly AuditEvent[]): boolean | Promise<boolean> {
    this.batches.push(batch.map(({ fields }) => fields.request.auditId));
    return this.result;
  }

  async shutdown(): Promise<void> {
    this.isClosed = true;
  }
}

/** Runs everything that is ready. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a buffered backend', () => {
  const config: BatchConfig = {
    bufferSize: 5,
    maxBatchSize: 2,
    maxBatchWait: 1000,
    asyncDelegate: true,
    throttleEnable: false,
    throttleQPS: 0,
    throttleBurst: 0,
  };

  function open(more: Partial<BatchConfig> = {}) {
    const [delegate, clock, metrics] = [new RecordingBackend(), new ManualClock(), new AuditMetrics()];
    const errors = new PluginErrors(metrics, silentLogger);
    return { delegate, clock, metrics, buffered: new BufferedBackend(delegate, { ...config, ...more, clock, errors }) };
  }

  test('sends a batch when it is whole, and the rest after a while', async () => {
    const { delegate, clock, buffered } = open();
    expect(buffered.processEvents(events('a', 'b', 'c'))).toBe(true);
    await settled();
    expect(delegate.batches).toEqual([['a', 'b']]);
    clock.advance(1000);
    await settled();
    expect(delegate.batches).toEqual([['a', 'b'], ['c']]);
  });

  test('sends batches one after the other if the delegate says so', async () => {
    const { delegate, buffered } = open({ asyncDelegate: false });
    let finish = (_: boolean): void => {};
    delegate.result = new Promise((resolve) => {
      finish = resolve;
    });
    buffered.processEvents(events('a', 'b', 'c', 'd'));
    await settled();
    expect(delegate.batches).toEqual([['a', 'b']]);
    finish(true);
    await settled();
    expect(delegate.batches).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('drops and counts what finds it full', () => {
    const { metrics, buffered } = open({ maxBatchSize: 100 });
    expect(buffered.processEvents(events('a', 'b', 'c', 'd', 'e', 'f', 'g'))).toBe(true);
    expect(metrics.render()).toContain('apiserver_audit_error_total{plugin="buffered"} 2\n');
  });

  test('sends only so many batches per second', async () => {
    const { delegate, clock, buffered } = open({
      maxBatchSize: 1,
      throttleEnable: true,
      throttleQPS: 2,
      throttleBurst: 2,
    });
    buffered.processEvents(events('a', 'b', 'c', 'd'));
    await settled();
    expect(delegate.batches).toEqual([['a'], ['b']]);
    clock.advance(500);
    await settled();
    expect(delegate.batches).toEqual([['a'], ['b'], ['c']]);
    clock.advance(500);
    await settled();
    expect(delegate.batches).toHaveLength(4);
  });

  test('sends everything before it is closed, and takes nothing more', async () => {
    const { delegate, metrics, buffered } = open({ maxBatchSize: 3 });
    buffered.processEvents(events('a', 'b', 'c', 'd'));
    await buffered.shutdown();
    expect(delegate.batches).toEqual([['a', 'b', 'c'], ['d']]);
    expect(delegate.isClosed).toBe(true);
    buffered.processEvents(events('e'));
    expect(metrics.render()).toContain('apiserver_audit_error_total{plugin="buffered"} 1\n');
  });

  test('does not wait forever for a delegate that hangs', async () => {
    const { delegate, clock, buffered } = open();
    let finish = (_: boolean): void => {};
    delegate.result = new Promise((resolve) => {
      finish = resolve;
    });
    buffered.processEvents(events('a', 'b'));
    const closed = buffered.shutdown();
    await settled();
    expect(delegate.isClosed).toBe(false);
    clock.advance(10_000);
    await settled();
    expect(delegate.isClosed).toBe(true);
    finish(false);
    await closed;
  });
});

describe('the log in the background', () => {
  test('writes together what comes during a write, and says so as soon as it is written', async () => {
    const writes: { readonly lines: number; done(): void; fail(error: Error): void }[] = [];
    const output: LogOutput = {
      writeSync: () => undefined,
      write: (lines) => new Promise((resolve, reject) => writes.push({ lines: lines.length, done: resolve, fail: reject })),
      close: async () => undefined,
    };
    const metrics = new AuditMetrics();
    const errors = new PluginErrors(metrics, silentLogger);
    const log = new LogBackend({
      output,
      errors,
      format: 'json',
      timing: 'inBackground',
      beforeResponses: (work) => work(),
    });
    const first = log.processEvents(events('a'));
    await settled();
    const second = log.processEvents(events('b'));
    expect(log.processEvents(events('c'))).toBe(second);
    await settled();
    expect(writes.map(({ lines }) => lines)).toEqual([1]);
    writes[0].done();
    expect(await first).toBe(true);
    await settled();
    expect(writes.map(({ lines }) => lines)).toEqual([1, 2]);
    writes[1].fail(new Error('full'));
    expect(await second).toBe(false);
    expect(metrics.render()).toContain('apiserver_audit_error_total{plugin="log"} 2\n');
    await log.shutdown();
  });
});

describe('a truncating backend', () => {
  const sizeOf = (event: AuditEvent): number => event.size + 49;

  test('splits batches, removes bodies, and drops what is still too large', () => {
    const [delegate, metrics] = [new RecordingBackend(), new AuditMetrics()];
    const errors = new PluginErrors(metrics, silentLogger);
    const size = sizeOf(eventNamed('a'));
    const limits = { maxEventSize: size + 60, maxBatchSize: 2 * size + 10 };
    const truncate = new TruncateBackend(delegate, limits, errors);
    const batch = [...events('a', 'b', 'c'), eventNamed('d'.repeat(200)), eventNamed('e', 'x'.repeat(1000))];
    expect(truncate.processEvents(batch)).toBe(true);
    expect(delegate.batches).toEqual([['a', 'b'], ['c'], ['e']]);
    expect(metrics.render()).toContain('apiserver_audit_error_total{plugin="truncate"} 1\n');
  });

  test('marks events without bodies', () => {
    const truncated = eventNamed('a', 'body').truncated();
    const json = JSON.parse(`{${truncated.pieces.join('')}}`);
    expect(json).not.toHaveProperty('requestObject');
    expect(json.annotations).toEqual({ 'audit.k8s.io/truncated': 'true' });
  });
});

describe('a union', () => {
  test.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('of backends that return %s and %s returns %s, at once or later', async (first, second, both) => {
    const backends = [new RecordingBackend(), new RecordingBackend()];
    [backends[0].result, backends[1].result] = [first, second];
    const union = new UnionBackend(backends);
    expect(union.processEvents(events('a'))).toBe(both);
    backends[0].result = Promise.resolve(first);
    expect(await union.processEvents(events('b'))).toBe(both);
    expect(backends[1].batches).toEqual([['a'], ['b']]);
    await union.shutdown();
    expect(backends.every(({ isClosed }) => isClosed)).toBe(true);
  });
});

describe('an event', () => {
  test('has the members of Go in their order, with the escapes of Go', () => {
    const extra = { b: ['2'], a: ['1'] };
    const user = { name: 'jane', uid: 'u', groups: ['g'], extra };
    const request = new AuditedRequest({
      message: {
        url: '/a?b=<c>',
        headers: { 'user-agent': 'caf\u00c3\u00a9' },
        rawHeaders: [],
        socket: { remoteAddress: '::ffff:1.2.3.4' },
      } as never,
      auditId: 'id',
      verb: 'get',
      user,
      receivedAt: 1,
    });
    const event = new AuditEvent({
      request,
      level: 'RequestResponse',
      stage: 'ResponseComplete',
      stageTimestamp: 1500,
      impersonatedUser: { name: 'joe', uid: '', groups: [], extra: {} },
      impersonationConstraint: 'impersonate:user-info',
      objectRef: {
        resource: 'pods',
        namespace: 'n',
        name: 'p',
        uid: 'x',
        apiGroup: '',
        apiVersion: 'v1',
        resourceVersion: '1',
        subresource: 'status',
      },
      responseStatus: { status: 'Failure', reason: 'Gone', code: 410 },
      requestObject: Buffer.from('{"kind":"A"}'),
      responseObject: [Buffer.from('{"kind":'), Buffer.from('"B"}')],
      annotations: new Map([
        ['b', '2'],
        ['a', '1'],
      ]),
    });
    expect(Buffer.concat(event.pieces.map((piece) => Buffer.from(piece))).toString()).toBe(
      '"level":"RequestResponse","auditID":"id","stage":"ResponseComplete","requestURI":"/a?b=\\u003cc\\u003e","verb":"get",' +
        '"user":{"username":"jane","uid":"u","groups":["g"],"extra":{"a":["1"],"b":["2"]}},' +
        '"impersonatedUser":{"username":"joe"},' +
        '"authenticationMetadata":{"impersonationConstraint":"impersonate:user-info"},' +
        '"sourceIPs":["1.2.3.4"],"userAgent":"caf\u00e9",' +
        '"objectRef":{"resource":"pods","namespace":"n","name":"p","uid":"x","apiVersion":"v1","resourceVersion":"1","subresource":"status"},' +
        '"responseStatus":{"metadata":{},"status":"Failure","reason":"Gone","code":410},' +
        '"requestObject":{"kind":"A"},"responseObject":{"kind":"B"},' +
        '"requestReceivedTimestamp":"1970-01-01T00:00:00.001000Z","stageTimestamp":"1970-01-01T00:00:01.500000Z",' +
        '"annotations":{"a":"1","b":"2"}',
    );
    expect(event.size).toBe(Buffer.concat(event.pieces.map((piece) => Buffer.from(piece))).length);
  });
});
