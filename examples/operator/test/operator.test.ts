import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type RunningServer, startServer } from 'kubeloom';
import { Operator } from '../src/operator.ts';
import type { Pool } from '../src/pool.ts';
import { Fleet, manifests } from './support/fleet.ts';

describe('the operator', () => {
  let server: RunningServer;
  let fleet: Fleet;
  let operator: Operator;

  before(async () => {
    server = await startServer({ fixtures: manifests });
    fleet = new Fleet(server);
  });
  after(() => server?.close());

  beforeEach(async () => {
    operator = new Operator(fleet.configOf('pool-operator'));
    await operator.start();
  });
  afterEach(async () => {
    await operator.stop();
    await server.reset();
  });

  const untilMembersAre = (...names: string[]): Promise<unknown> =>
    server.eventually({ apiVersion: 'v1', kind: 'Pod', namespace: 'default', labelSelector: '' }, (pods) => {
      assert.deepEqual(
        pods.map(({ metadata }) => metadata.name),
        names,
      );
      return true;
    });

  test('makes as many pods as the size of a pool says, and follows it', async () => {
    await fleet.createPool('web', { size: 2 });
    await untilMembersAre('web-0', 'web-1');
    await fleet.scale('web', 3);
    await untilMembersAre('web-0', 'web-1', 'web-2');
    await fleet.scale('web', 1);
    await untilMembersAre('web-0');
  });

  test('says how many members a pool has', async () => {
    const pool = await fleet.createPool('web', { size: 2 });
    await server.eventually<Pool>(pool, (pool) => pool?.status?.members === 2);
  });

  test('lets a pool go when its members are gone', async () => {
    const pool = await fleet.createPool('web', { size: 2 });
    await untilMembersAre('web-0', 'web-1');
    await fleet.deletePool('web');
    await server.eventually(pool, (pool) => pool === undefined);
    assert.deepEqual(await fleet.members(), []);
  });
});
