import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemRandom } from '../../../../runtime/machinery/random.ts';
import { LeaderElector } from '../../../../runtime/reconcile/leader-election/leader-elector.ts';
import { LeaseLock } from '../../../../runtime/reconcile/leader-election/lease-lock.ts';
import { loopbackWriter } from '../../../../runtime/resources/loopback-writer.ts';
import { openTestStores, type TestResource, type TestStores } from '../../../support/resource-stores.ts';
import type { TestObject } from '../../../support/test-object.ts';

const config = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };

/** A candidate's notifications, in order. */
class Candidate {
  readonly elector: LeaderElector;
  readonly log: string[] = [];
  /** If set, writes of the lease fail. */
  failure: Error | undefined;

  constructor({ stores, clock }: TestStores, identity: string, { isAlone = false } = {}) {
    const writer = loopbackWriter('kube-controller-manager');
    const options = { namespace: 'kube-system', name: 'kube-controller-manager', component: 'tests', writer };
    const lock = new LeaseLock({ stores, identity, ...options });
    const update = lock.update.bind(lock);
    lock.update = async (spec) => {
      if (this.failure) throw this.failure;
      await update(spec);
    };
    this.elector = new LeaderElector({
      ...config,
      lock,
      clock,
      isAlone,
      random: systemRandom,
      onStartedLeading: () => void this.log.push('started'),
      onStoppedLeading: async () => void this.log.push('stopped'),
      report: () => this.log.push('failed'),
    });
  }
}

describe('leader election', () => {
  let stores: TestStores;
  let leases: TestResource;
  let events: TestResource;
  let candidates: Candidate[];

  beforeEach(async () => {
    stores = await openTestStores();
    leases = await stores.of('coordination.k8s.io/leases');
    events = await stores.of('events');
    candidates = [];
  });

  afterEach(async () => {
    for (const { elector } of candidates) await elector.close();
    await stores.close();
  });

  function candidate(identity: string, options?: { isAlone: boolean }): Candidate {
    const added = new Candidate(stores, identity, options);
    candidates.push(added);
    return added;
  }

  const lease = () => leases.get('kube-controller-manager', 'kube-system');
  const messages = () =>
    [...events.store.collection.latest().scan({ namespace: 'kube-system' })].map(
      (event): unknown => (event.decode() as TestObject).message,
    );

  /** Advances time in small steps, with turns of the event loop for the timers' work. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      stores.clock.advance(500);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    }
  }

  it('is won by the first candidate, which writes the lease as client-go does, and tells it in an event', async () => {
    const [one, two] = [candidate('one'), candidate('two')];
    await one.elector.start();
    await two.elector.start();
    expect([one.log, two.log]).toEqual([['started'], []]);
    expect([one.elector.isLeading, two.elector.isLeading]).toEqual([true, false]);
    const time = '2026-01-01T00:00:00.000000Z';
    expect(lease()?.spec).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: 0,
    });
    expect(messages()).toEqual(['one became leader']);
    expect([...events.store.collection.latest().scan()][0].decode()).toMatchObject({
      involvedObject: {
        kind: 'Lease',
        apiVersion: 'coordination.k8s.io/v1',
        namespace: 'kube-system',
        name: 'kube-controller-manager',
        uid: lease()?.metadata.uid,
      },
      reason: 'LeaderElection',
      type: 'Normal',
      source: { component: 'tests' },
    });
  });

  it('leaves the lease with a leader that renews it', async () => {
    const [one, two] = [candidate('one'), candidate('two')];
    await one.elector.start();
    await two.elector.start();
    await pass(60_000);
    expect([one.log, two.log]).toEqual([['started'], []]);
    expect(lease()?.spec.renewTime > '2026-01-01T00:00:57').toBe(true);
    expect(lease()?.spec.acquireTime).toBe('2026-01-01T00:00:00.000000Z');
  });

  it('goes to the next one when the leader leaves, which stops leading before it gives the lease back', async () => {
    const [one, two] = [candidate('one'), candidate('two')];
    await one.elector.start();
    await two.elector.start();
    await one.elector.close();
    expect(one.log).toEqual(['started', 'stopped']);
    expect(lease()?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await pass(5000);
    expect(two.log).toEqual(['started']);
    expect(lease()?.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    expect(messages()).toEqual(['one became leader', 'one stopped leading', 'two became leader']);
  });

  it('goes to the next one when the lease has not changed for its duration, and not sooner', async () => {
    const dead = candidate('dead');
    await dead.elector.start();
    dead.failure = new Error('the network is down');
    const two = candidate('two');
    await two.elector.start();
    await pass(14_000);
    expect(two.log).toEqual([]);
    await pass(6000);
    expect(two.log).toEqual(['started']);
  });

  it('ends for a leader that cannot renew its lease within the deadline, and begins again when it can', async () => {
    const one = candidate('one');
    await one.elector.start();
    one.failure = new Error('the network is down');
    await pass(9500);
    expect(one.elector.isLeading).toBe(true);
    await pass(1000);
    expect(one.log.filter((entry) => entry !== 'failed')).toEqual(['started', 'stopped']);
    one.failure = undefined;
    await pass(5000);
    expect(one.log.filter((entry) => entry !== 'failed')).toEqual(['started', 'stopped', 'started']);
  });

  it('is over for a leader that was paused before any of its timers runs', async () => {
    const one = candidate('one');
    await one.elector.start();
    const { now } = stores.clock;
    stores.clock.now = () => now.call(stores.clock) + 20_000;
    expect(one.log).toEqual(['started']);
    expect(one.elector.isLeading).toBe(false);
  });

  it('ends at once for a leader that finds another one in its lease', async () => {
    const one = candidate('one');
    await one.elector.start();
    await leases.update(
      'kube-controller-manager',
      (changed) => {
        changed.spec.holderIdentity = 'two';
      },
      { namespace: 'kube-system' },
    );
    await pass(2500);
    expect(one.log).toEqual(['started', 'stopped']);
    expect(lease()?.spec.holderIdentity).toBe('two');
  });

  it('does not wait for the lease of a process that cannot be alive', async () => {
    const dead = candidate('dead');
    await dead.elector.start();
    dead.failure = new Error('killed');
    const one = candidate('one', { isAlone: true });
    const started = one.elector.start();
    expect(one.log).toEqual(['started']);
    await started;
    await pass(500);
    expect(lease()?.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 1 });
  });
});
