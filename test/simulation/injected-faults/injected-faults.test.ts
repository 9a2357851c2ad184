import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { startTestServer } from '../../support/test-server.ts';
import { rounds } from '../rounds.ts';
import { FaultRound } from './fault-round.ts';
import { faultNames } from './plans.ts';

/** An informer of @kubernetes/client-node, while server.faults disturbs its own and other requests. */

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('in the end, an informer has what the server has', () => {
  test.each(faultNames)(
    'after faults of one kind: %s',
    async (name) => {
      let hits = 0;
      const run = rounds(1, async (seed) => {
        const round = new FaultRound(server, seed, [name]);
        await round.run();
        hits += round.hits;
      });
      await run();
      expect(hits).toBeGreaterThan(0);
    },
    600_000,
  );

  test(
    'after any faults',
    rounds(4, (seed) => new FaultRound(server, seed, faultNames).run()),
    600_000,
  );
});
