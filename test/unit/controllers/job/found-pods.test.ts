import { afterEach, expect, jest, test } from '@jest/globals';
import { FoundPods } from '../../../../runtime/controllers/job/found-pods.ts';
import { jobTrackingFinalizer } from '../../../../runtime/controllers/job/job-pod-states.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const none = { succeeded: new Set<string>(), failed: new Set<string>() };
const podIn = (phase: string, index: number) => ({
  metadata: { uid: `${index}`, finalizers: [jobTrackingFinalizer] },
  status: { phase },
});

test('others have their turns while a job looks at many pods, each of which it counts once', async () => {
  const phases = ['Running', 'Succeeded', 'Failed', 'Pending'];
  const pods = Array.from({ length: 1_000 }, (_, index) => podIn(phases[index % 4], index));
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += 10;
    return now;
  });
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    turns++;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const found = await FoundPods.of(pods, { metadata: {} }, { ...none, failed: new Set(['2']) });
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(7);
  const { active, newSucceeded, newFailed, failed, tracked } = found;
  expect([active, newSucceeded, newFailed, failed, tracked].map((list) => ('size' in list ? list.size : list.length))).toEqual([
    500, 250, 249, 250, 1_000,
  ]);
});

test('few pods are looked at in one turn, however long it has been', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += 10;
    return now;
  });
  let hasTurned = false;
  const turn = setImmediate(() => {
    hasTurned = true;
  });
  await FoundPods.of([podIn('Running', 0)], { metadata: {} }, none);
  clearImmediate(turn);
  expect(hasTurned).toBe(false);
});
