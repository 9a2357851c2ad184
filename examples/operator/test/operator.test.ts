import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from 'kubeloom';
import { Operator } from '../src/operator.ts';
import { Fleet } from './support/fleet.ts';

describe('the operator', () => {
  let server: RunningServer;
  let fleet: Fleet;
  let operator: Operator;

  before(async () => {
    server = await startServer();
    fleet = new Fleet(server);
    await fleet.deploy();
    operator = new Operator(fleet.config);
    await operator.start();
  });
  after(async () => {
    await operator?.stop();
    await server?.close();
  });

  /** Resolves when these pods are there, and no others. */
  async function untilMembersAre(...names: string[]): Promise<void> {
    const client = await server.client();
    const seen = new Set<string>();
    for await (const { type, object } of client.core.v1.pods.namespace('default').watch()) {
      const { name } = object.metadata as { name: string };
      if (type === 'DELETED') seen.delete(name);
      else seen.add(name);
      if (seen.size === names.length && names.every((one) => seen.has(one))) return;
    }
  }

  test('makes as many pods as the size of a pool says, and follows it', async () => {
    await fleet.createPool('web', { size: 2 });
    await untilMembersAre('web-0', 'web-1');
    await fleet.scale('web', 1);
    await untilMembersAre('web-0');
    assert.deepEqual(await fleet.members(), ['web-0']);
  });
});
