import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from 'kubeloom';
import { Operator } from '../src/operator.ts';
import { Fleet, manifests } from './support/fleet.ts';

/** Plays one scenario on a new server. Returns its final pods. */
async function play(seed: number): Promise<string> {
  const server = await startServer({ fixtures: manifests, seed });
  const fleet = new Fleet(server);
  const operator = new Operator(fleet.configOf('pool-operator'), { clock: server.clock });
  try {
    await operator.start();
    await fleet.createPool('web', { size: 2 });
    const pods = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', labelSelector: '' };
    return JSON.stringify(await server.eventually(pods, ({ length }) => length === 2));
  } finally {
    await operator.stop();
    await server.close();
  }
}

test('two runs with one seed make the same pods, byte for byte', async () => {
  const pods = await play(1);
  assert.equal(await play(1), pods);
  assert.notEqual(await play(2), pods);
});
