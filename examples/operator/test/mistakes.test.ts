import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { scenario, user } from './support/scenario.ts';

describe('an operator', () => {
  scenario(
    'deletes a pool when its lifetime is over, and not before',
    'lifetimeLeft',
    /web/,
    async ({ fleet, start, settled, pass }) => {
      await start();
      await fleet.createPool('web', { size: 1, lifetimeSeconds: 3600 });
      await settled();
      await pass('59m');
      assert.deepEqual(await fleet.pools(), ['web']);
      await pass('1m');
      assert.deepEqual(await fleet.pools(), []);
    },
  );

  scenario(
    'is silent when there is nothing to do',
    'writeStatus',
    /settled/,
    async ({ server, fleet, start, settled, pass }) => {
      await start();
      await fleet.createPool('web', { size: 2 });
      await settled();
      const since = server.requests().at(-1)?.sequence;
      await pass('10m');
      assert.deepEqual(server.requests({ user, verb: ['create', 'update', 'delete'], since }), []);
    },
  );
});
