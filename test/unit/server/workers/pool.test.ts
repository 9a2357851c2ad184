import { describe, expect, test } from '@jest/globals';
import { type PooledJob, type PooledWorker, WorkerPool } from '../../../../runtime/server/workers/pool.ts';
import type { Job, Outcome } from '../../../../runtime/server/workers/protocol.ts';
import type { AskedParts } from '../../../../runtime/server/workers/questions.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const idle = 1000;

/** A thread that responds when the test lets it. */
class FakeWorker implements PooledWorker {
  running: { readonly url: string; finish(): void; fail(error: Error): void } | undefined;
  ended = false;

  run({ url }: Job): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.running = undefined;
      };
      this.running = {
        url,
        finish() {
          done();
          const response = { code: 200, contentType: url, body: new Uint8Array() };
          resolve({ kind: 'outcome', result: { response }, effects: [], warnings: [], observations: [] });
        },
        fail(error) {
          done();
          reject(error);
        },
      };
    });
  }

  async end(): Promise<void> {
    this.ended = true;
  }
}

class PoolFixture {
  readonly clock = new ManualClock();
  readonly workers: FakeWorker[] = [];
  readonly pool: WorkerPool;

  constructor({ size = 2, waitingBytes = 1000 } = {}) {
    this.pool = new WorkerPool({
      clock: this.clock,
      size,
      idle,
      waitingBytes,
      start: () => {
        const worker = new FakeWorker();
        this.workers.push(worker);
        return worker;
      },
    });
  }

  /** @param url begins with the user's name */
  run(url: string, { bytes = 1, deadline = Number.POSITIVE_INFINITY, ...more }: Partial<Pooled> = {}): Promise<string> {
    const job = { url, user: { name: url[0] }, body: new Uint8Array(bytes) } as Job;
    const outcome = this.pool.run({ job, parts: {} as AskedParts, deadline, whenAborted: () => undefined, ...more });
    return outcome.then(
      ({ result }) => ('response' in result ? result.response.contentType : 'failed'),
      (error) => `${error.status?.code ?? ''} ${error.message}`.trim(),
    );
  }

  get running(): string[] {
    return this.workers.filter(({ ended }) => !ended).flatMap(({ running }) => running?.url ?? []);
  }

  /** Makes the thread of this request respond, and its waiters continue. */
  async finish(url: string): Promise<void> {
    this.workers.find(({ running }) => running?.url === url)?.running?.finish();
    await settled();
  }
}

interface Pooled extends PooledJob {
  readonly bytes: number;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a pool of worker threads', () => {
  test('starts threads on demand, and reuses them', async () => {
    const fixture = new PoolFixture();
    expect(fixture.workers).toHaveLength(0);
    for (const url of ['a1', 'a2', 'b1']) {
      const done = fixture.run(url);
      await settled();
      await fixture.finish(url);
      expect(await done).toBe(url);
    }
    expect(fixture.workers).toHaveLength(1);
  });

  test('never gives all threads to one user', async () => {
    const fixture = new PoolFixture({ size: 3 });
    for (const url of ['a1', 'a2', 'a3', 'a4']) void fixture.run(url);
    await settled();
    expect(fixture.running).toEqual(['a1', 'a2']);
    void fixture.run('b1');
    await settled();
    expect(fixture.running).toEqual(['a1', 'a2', 'b1']);
  });

  test('lets users take turns', async () => {
    const fixture = new PoolFixture({ size: 1 });
    for (const url of ['a1', 'a2', 'a3', 'b1', 'c1']) void fixture.run(url);
    await settled();
    const order: string[] = [];
    while (fixture.running.length > 0) {
      order.push(...fixture.running);
      await fixture.finish(fixture.running[0]);
    }
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
  });

  test('terminates a thread that has not responded at the deadline of its request, and replaces it', async () => {
    const fixture = new PoolFixture({ size: 1 });
    const stuck = fixture.run('a1', { deadline: fixture.clock.now() + 100 });
    const next = fixture.run('b1');
    await settled();
    fixture.clock.advance(100);
    expect(await stuck).toBe('504 Timeout: request did not complete within the allotted timeout');
    await settled();
    expect(fixture.workers.map(({ ended }) => ended)).toEqual([true, false]);
    await fixture.finish('b1');
    expect(await next).toBe('b1');
  });

  test('responds 504 to a request whose deadline passes while it waits', async () => {
    const fixture = new PoolFixture({ size: 1 });
    void fixture.run('a1');
    const late = fixture.run('b1', { deadline: fixture.clock.now() + 100 });
    await settled();
    fixture.clock.advance(100);
    expect(await late).toBe('504 Timeout: request did not complete within the allotted timeout');
    expect(fixture.running).toEqual(['a1']);
  });

  test('removes a request from the queue if its client disconnects', async () => {
    const fixture = new PoolFixture({ size: 1 });
    let abort = (): void => undefined;
    void fixture.run('a1');
    const left = fixture.run('b1', {
      whenAborted: (callback) => {
        abort = callback;
      },
    });
    await settled();
    abort();
    expect(await left).toMatch(/^504/);
    void fixture.run('c1');
    await fixture.finish('a1');
    expect(fixture.running).toEqual(['c1']);
  });

  test('limits the bytes that wait', async () => {
    const fixture = new PoolFixture({ size: 1, waitingBytes: 100 });
    void fixture.run('a1', { bytes: 5000 });
    await settled();
    void fixture.run('b1', { bytes: 5000 });
    expect(await fixture.run('c1', { bytes: 50 })).toBe('429 too many large requests are waiting, please try again later');
    await fixture.finish('a1');
    const c2 = fixture.run('c2', { bytes: 50 });
    await fixture.finish('b1');
    await fixture.finish('c2');
    expect(await c2).toBe('c2');
  });

  test('replaces a thread that crashed, which fails one request', async () => {
    const fixture = new PoolFixture({ size: 1 });
    const broken = fixture.run('a1');
    const next = fixture.run('b1');
    await settled();
    fixture.workers[0].running?.fail(new Error('out of memory'));
    expect(await broken).toBe('out of memory');
    await settled();
    await fixture.finish('b1');
    expect([await next, fixture.workers.length]).toEqual(['b1', 2]);
  });

  test('terminates idle threads', async () => {
    const fixture = new PoolFixture();
    const done = fixture.run('a1');
    await settled();
    await fixture.finish('a1');
    await done;
    fixture.clock.advance(idle - 1);
    expect(fixture.workers[0].ended).toBe(false);
    fixture.clock.advance(1);
    expect(fixture.workers[0].ended).toBe(true);
    void fixture.run('a2');
    await settled();
    expect(fixture.workers).toHaveLength(2);
  });

  test('terminates all threads when it is closed', async () => {
    const fixture = new PoolFixture({ size: 3 });
    void fixture.run('a1');
    void fixture.run('b1');
    await settled();
    await fixture.pool.close();
    expect(fixture.workers.map(({ ended }) => ended)).toEqual([true, true]);
  });
});
