import { describe, expect, test } from '@jest/globals';
import { type SyncResult, WorkQueue } from '../../../runtime/reconcile/work-queue.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function openQueue(work: (item: string) => Promise<SyncResult>, concurrency = 2, paused = false) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const report = (error: unknown): void => {
    errors.push(error);
  };
  return {
    clock,
    errors,
    queue: new WorkQueue<string>({ clock, concurrency, keyOf: (key) => key, work, report, paused }),
  };
}

describe('a work queue', () => {
  test('processes a key once if it is added twice', async () => {
    const done: string[] = [];
    const { queue } = openQueue(async (item) => {
      done.push(item);
      return 'done';
    });
    for (const item of ['a', 'b', 'a', 'a']) queue.add(item);
    await turn();
    await turn();
    expect(done).toEqual(['a', 'b']);
    await queue.close();
  });

  test('processes a key again if it is added meanwhile, and never twice at a time', async () => {
    const releases: (() => void)[] = [];
    const { queue } = openQueue(
      () =>
        new Promise((resolve) => {
          releases.push(() => resolve('done'));
        }),
    );
    queue.add('a');
    await turn();
    queue.add('a');
    await turn();
    expect(releases).toHaveLength(1);
    releases[0]();
    await turn();
    await turn();
    expect(releases).toHaveLength(2);
    releases[1]();
    await queue.close();
  });

  test('retries with growing delays, and forgets failures after a success', async () => {
    const outcomes: SyncResult[] = ['retry', 'retry', 'retry', 'done', 'retry', 'done'];
    let runs = 0;
    const { queue, clock } = openQueue(async () => outcomes[runs++]);
    queue.add('a');
    const runsAfter = async (ms: number): Promise<number> => {
      clock.advance(ms);
      for (let i = 0; i < 3; i++) await turn();
      return runs;
    };
    expect(await runsAfter(0)).toBe(1);
    expect(await runsAfter(4)).toBe(1);
    expect(await runsAfter(1)).toBe(2);
    expect(await runsAfter(9)).toBe(2);
    expect(await runsAfter(1)).toBe(3);
    expect(await runsAfter(20)).toBe(4);
    queue.add('a');
    expect(await runsAfter(0)).toBe(5);
    expect(await runsAfter(5)).toBe(6);
    await queue.close();
  });

  test('reports errors and retries', async () => {
    let runs = 0;
    const { queue, clock, errors } = openQueue(async () => {
      runs += 1;
      if (runs === 1) throw new Error('no');
      return 'done';
    });
    queue.add('a');
    await turn();
    await turn();
    expect(errors).toHaveLength(1);
    clock.advance(5);
    await turn();
    await turn();
    expect(runs).toBe(2);
    await queue.close();
  });

  test('waits for keys in process when it closes, and processes no more', async () => {
    let release = (): void => undefined;
    const started: string[] = [];
    const { queue } = openQueue((item) => {
      started.push(item);
      return new Promise((resolve) => {
        release = () => resolve('retry');
      });
    }, 1);
    queue.add('a');
    queue.add('b');
    await turn();
    const closed = queue.close();
    release();
    await closed;
    queue.add('c');
    await turn();
    expect(started).toEqual(['a']);
  });

  test('processes nothing before it is started', async () => {
    let runs = 0;
    const { queue } = openQueue(
      async () => {
        runs += 1;
        return 'done';
      },
      1,
      true,
    );
    queue.add('a');
    await turn();
    expect(runs).toBe(0);
    queue.resume();
    await turn();
    expect(runs).toBe(1);
    await queue.close();
  });
});
