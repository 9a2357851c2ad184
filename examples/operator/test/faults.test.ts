import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FaultPlanSpec, type RunningServer, startServer } from 'kubeloom';
import { Operator } from '../src/operator.ts';
import { Fleet, manifests } from './support/fleet.ts';

/** Faults that are injected into the operator's requests. */
const faults: Record<string, FaultPlanSpec['fault']> = {
  'errors of the server': { status: { code: 500 } },
  'a server that has too much to do': { status: { code: 429, retryAfterSeconds: 1 } },
  'slow answers': { delay: { duration: '2s' } },
  'requests that do not arrive': { drop: {} },
  'answers that do not arrive': { drop: { when: 'AfterRequest' } },
  'answers that end in the middle': { cut: { afterBytes: 100 } },
  'watches that end': { watch: { action: 'Close', afterEvents: 1 } },
  'watches that fall silent': { watch: { action: 'Stall', afterEvents: 1 } },
  'watches that expire': { watch: { action: 'Expire', afterEvents: 1 } },
  'late events': { holdEvents: { duration: '5s' } },
  'a store that forgets': { compact: {} },
  'a server that restarts': { restart: {} },
  'a network that is down': { partition: { duration: '5s' } },
};

describe('an operator does its work in spite of', () => {
  const user = 'pool-operator';
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', labelSelector: '' };
  let prepared: RunningServer;

  before(async () => {
    prepared = await startServer({ fixtures: manifests, clock: 'manual', testControls: true });
  });
  after(() => prepared?.close());

  for (const [name, fault] of Object.entries(faults)) {
    test(name, async () => {
      const server = await prepared.fork();
      const fleet = new Fleet(server);
      const operator = new Operator(fleet.configOf(user), { clock: server.clock });
      const occurrence = { probability: '0.5', seed: 1, count: 5 };
      const plan = await server.faults.add({ match: { users: [user] }, occurrence, fault });
      try {
        await fleet.createPool('web', { size: 3 });
        const started = operator.start();
        await server.clock.advance('20m');
        await started;
        await fleet.scale('web', 1);
        await server.clock.advance('20m');
        plan.remove();
        await server.settled({ controllers: [user] });
        await server.clock.advance('20m');
        await server.eventually(pods, ({ length }) => length === 1);
        assert.notEqual(plan.hits, 0);
      } finally {
        await operator.stop();
        await server.close();
      }
    });
  }
});
