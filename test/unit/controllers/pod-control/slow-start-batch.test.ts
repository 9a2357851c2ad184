import { expect, test } from '@jest/globals';
import { slowStartBatch } from '../../../../runtime/controllers/pod-control/pod-control.ts';

// (pkg/controller/replicaset/replica_set_test.go TestSlowStartBatch)
test.each([
  { count: 0, failing: [], started: 0, successes: 0 },
  { count: 10, failing: [], started: 10, successes: 10 },
  { count: 10, failing: [0], started: 1, successes: 0 },
  { count: 10, failing: [1], started: 3, successes: 2 },
  { count: 10, failing: [4, 5], started: 7, successes: 5 },
  { count: 10, failing: [9], started: 10, successes: 9 },
])('of $count calls, of which $failing fail, $started are started', async ({ count, failing, started, successes }) => {
  let calls = 0;
  const outcome = await slowStartBatch(count, async (index) => {
    calls++;
    if (failing.includes(index)) throw new Error(`call ${index}`);
  });
  expect(calls).toBe(started);
  expect(outcome.successes).toBe(successes);
  expect(outcome.error).toEqual(failing.length === 0 ? undefined : new Error(`call ${failing[0]}`));
});
