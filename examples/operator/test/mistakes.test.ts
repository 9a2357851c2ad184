import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { scenario, user } from './support/scenario.ts';

const pods = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', labelSelector: '' };

describe('an operator', () => {
  scenario(
    'makes no second member when the answer to a create is lost',
    'addMember',
    /deleted a member/,
    async ({ server, fleet, start, settled, pass }) => {
      await start();
      const lost = await server.faults.add({
        match: { users: [user], verbs: ['create'], resources: ['pods'] },
        occurrence: { count: 1 },
        fault: { drop: { when: 'AfterRequest' } },
      });
      await fleet.createPool('web', { size: 1 });
      await lost.waitForHits(1);
      await settled();
      await pass('1s');
      assert.equal((await fleet.members()).length, 1);
      assert.deepEqual(server.requests({ verb: 'delete', resource: 'pods' }), [], 'it has deleted a member');
    },
  );

  scenario(
    'does not wait for ever for an answer that ends in the middle',
    'limitTime',
    /web-1/,
    async ({ server, fleet, start, settled, pass }) => {
      await start();
      const cut = await server.faults.add({
        match: { users: [user], verbs: ['create'], resources: ['pods'] },
        occurrence: { count: 1 },
        fault: { cut: { afterBytes: 100 } },
      });
      await fleet.createPool('web', { size: 1 });
      await cut.waitForHits(1);
      await fleet.scale('web', 2);
      await settled();
      await pass('1m');
      assert.deepEqual(await fleet.members(), ['web-0', 'web-1']);
    },
  );

  scenario(
    'deletes no members because of an old list',
    'listOptions',
    /deleted a member/,
    async ({ server, fleet, start, settled }) => {
      await start();
      await fleet.createPool('web', { size: 1 });
      await settled();
      await server.faults.add({
        match: { users: [user], verbs: ['list'], resources: ['pools'] },
        fault: { staleRead: { age: '30s' } },
      });
      await fleet.scale('web', 3);
      await settled();
      await start();
      await settled();
      assert.deepEqual(server.requests({ verb: 'delete', resource: 'pods' }), [], 'it has deleted a member');
    },
  );

  scenario(
    'hears of changes after a partition, though the server has forgotten some',
    'resumeFrom',
    /web-2/,
    async ({ server, fleet, start, settled, pass }) => {
      await start();
      await fleet.createPool('web', { size: 1 });
      await settled();
      const partition = await server.faults.add({
        match: { users: [user] },
        occurrence: { count: 1 },
        fault: { partition: { duration: '10s' } },
      });
      await fleet.scale('web', 2);
      await partition.waitForHits(1);
      await fleet.scale('web', 3);
      await server.compact();
      await pass('1m');
      assert.deepEqual(await fleet.members(), ['web-0', 'web-1', 'web-2']);
    },
  );

  scenario(
    'hears of changes though a watch has gone silent',
    'guardSilence',
    /every Pod of default did not become/,
    async ({ server, fleet, start }) => {
      await server.faults.add({
        match: { users: [user], verbs: ['watch'], resources: ['pools'] },
        occurrence: { count: 1 },
        fault: { watch: { action: 'Stall', afterEvents: 2, bookmarks: 'Never' } },
      });
      await start();
      await fleet.createPool('web', { size: 1 });
      await server.eventually(pods, ({ length }) => length === 1);
      await fleet.scale('web', 2);
      await server.clock.advance('5m');
      await server.eventually(pods, ({ length }) => length === 2);
    },
  );

  scenario(
    'lets go of no pool whose members it has not heard of',
    'remainingMembers',
    /every Pod of default did not become/,
    async ({ server, fleet, start }) => {
      await server.faults.add({
        match: { users: [user], verbs: ['watch'], resources: ['pods'] },
        fault: { holdEvents: { duration: '10s' } },
      });
      await start();
      const pool = await fleet.createPool('web', { size: 2 });
      await server.eventually(pods, ({ length }) => length === 2);
      await fleet.deletePool('web');
      await server.eventually(pods, ({ length }) => length === 0);
      await server.clock.advance('30s');
      await server.eventually(pool, (pool) => pool === undefined);
    },
  );

  scenario(
    'undoes nothing that somebody changes while it writes',
    'claim',
    /1 !== 3/,
    async ({ server, fleet, start, pass }) => {
      await start();
      const delay = await server.faults.add({
        match: { users: [user], verbs: ['update'], resources: ['pools'] },
        occurrence: { count: 1 },
        fault: { delay: { duration: '5s' } },
      });
      await fleet.createPool('web', { size: 1 });
      await delay.waitForHits(1);
      await fleet.scale('web', 3);
      await pass('5s');
      await pass('1s');
      assert.equal((await fleet.readPool('web')).spec.size, 3);
    },
  );

  scenario(
    'deletes a pool when its lifetime is over, and not before',
    'lifetimeLeft',
    /web/,
    async ({ server, fleet, start, settled, pass }) => {
      await start();
      const pool = await fleet.createPool('web', { size: 1, lifetimeSeconds: 600 });
      await settled();
      await pass('9m');
      assert.deepEqual(await fleet.pools(), ['web']);
      await pass('1m');
      await server.eventually(pool, (pool) => pool === undefined);
    },
  );

  scenario(
    'is silent when there is nothing to do',
    'writeStatus',
    /settled/,
    async ({ server, fleet, start, pass }) => {
      await start();
      await fleet.createPool('web', { size: 2 });
      await server.settled({ controllers: [user], timeout: '2s' });
      const since = server.requests().at(-1)?.sequence;
      await pass('10m');
      assert.deepEqual(server.requests({ user, verb: ['create', 'update', 'delete'], since }), []);
    },
  );
});
