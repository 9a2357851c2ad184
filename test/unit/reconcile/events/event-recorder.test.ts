import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writerOfController } from '../../../../runtime/reconcile/controller-writer.ts';
import { EventRecorder } from '../../../../runtime/reconcile/events/event-recorder.ts';
import { SeriesRecorder } from '../../../../runtime/reconcile/events/series-recorder.ts';
import { openTestStores, type TestResource, type TestStores } from '../../../support/resource-stores.ts';
import type { TestObject } from '../../../support/test-object.ts';

const pod = (name: string) => ({ kind: 'Pod', apiVersion: 'v1', namespace: 'default', name, uid: `uid-of-${name}` });
const minute = 60_000;

describe('the recorders of events', () => {
  let stores: TestStores;
  let events: TestResource;

  beforeEach(async () => {
    stores = await openTestStores();
    events = await stores.of('events');
  });

  afterEach(() => stores.close());

  const recorded = (namespace?: string): TestObject[] =>
    [...events.store.collection.latest().scan({ namespace })].map((one) => one.decode());
  const messages = () => recorded().map(({ message, count }) => [message, count]);

  describe('of core/v1', () => {
    let recorder: EventRecorder;

    beforeEach(() => {
      recorder = new EventRecorder(stores.stores, 'job-controller', writerOfController('job-controller'));
    });

    const record = (name: string, message: string) => recorder.record(pod(name), { type: 'Warning', reason: 'Failed', message });

    it('create an Event named after its object', async () => {
      await recorder.record(pod('web'), {
        type: 'Normal',
        reason: 'Pulled',
        message: 'pulled',
        host: 'node-1',
        annotations: { a: 'b' },
      });
      await recorder.record({ kind: 'Node', apiVersion: 'v1', name: 'n', uid: 'u' }, { type: 'Normal', reason: 'R', message: 'm' });
      expect(recorded().map(({ metadata }) => metadata.name)).toEqual([
        expect.stringMatching(/^n\.[0-9a-f]{16}$/),
        expect.stringMatching(/^web\.[0-9a-f]{16}$/),
      ]);
      expect(recorded()[1]).toMatchObject({
        metadata: { annotations: { a: 'b' } },
        involvedObject: pod('web'),
        type: 'Normal',
        reason: 'Pulled',
        message: 'pulled',
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'job-controller', host: 'node-1' },
        reportingComponent: 'job-controller',
        reportingInstance: 'node-1',
      });
    });

    it('count what is repeated, also if its Event is gone', async () => {
      await record('web', 'once');
      stores.clock.advance(minute);
      await record('web', 'once');
      expect(recorded()).toEqual([
        expect.objectContaining({
          message: 'once',
          count: 2,
          firstTimestamp: '2026-01-01T00:00:00Z',
          lastTimestamp: '2026-01-01T00:01:00Z',
        }),
      ]);
      await events.delete(recorded()[0].metadata.name ?? '');
      await record('web', 'once');
      expect(messages()).toEqual([['once', 3]]);
    });

    it('combine events that differ only in their messages, from the tenth within ten minutes on', async () => {
      for (let index = 1; index <= 11; index++) await record('web', `message ${index}`);
      await record('db', 'message');
      expect(messages().slice(1)).toEqual([
        ...Array.from({ length: 9 }, (_, index) => [`message ${index + 1}`, 1]),
        ['(combined from similar events): message 11', 2],
      ]);
      stores.clock.advance(10 * minute + 1);
      await record('web', 'message 12');
      expect(messages().slice(-1)).toEqual([['message 12', 1]]);
    });

    it('drop more than 25 events about one object, until five minutes later', async () => {
      for (let index = 1; index <= 30; index++) await record('web', 'again');
      expect(messages()).toEqual([['again', 25]]);
      stores.clock.advance(5 * minute);
      await record('web', 'again');
      expect(messages()).toEqual([['again', 31]]);
    });

    it('keep the order of one object, and drop what comes while 1,000 wait', async () => {
      const work = Array.from({ length: 1100 }, (_, index) => record(`p${index % 100}`, `${Math.floor(index / 100)}`));
      await Promise.all(work);
      const stored = [...events.store.collection.latest().scan()].sort((a, b) => a.revision - b.revision);
      const first = stored.filter(({ name }) => name.startsWith('p0.')).map((one) => one.decode() as TestObject);
      expect(first.map(({ message }) => message)).toEqual(
        Array.from({ length: 9 }, (_, index) => `${index}`).concat('(combined from similar events): 9'),
      );
      expect(stored).toHaveLength(1000);
    });
  });

  describe('of events.k8s.io/v1', () => {
    let recorder: SeriesRecorder;

    beforeEach(() => {
      recorder = new SeriesRecorder(stores.stores, 'default-scheduler', writerOfController('job-controller'));
    });

    afterEach(() => recorder.close());

    const record = (note: string) =>
      recorder.event({
        regarding: pod('web'),
        type: 'Warning',
        reason: 'FailedScheduling',
        action: 'Scheduling',
        note,
      });

    it('create an Event, and a series when it is repeated, which is written when it has ended', async () => {
      await record('no nodes');
      expect(recorded()).toEqual([
        expect.objectContaining({
          eventTime: '2026-01-01T00:00:00.000000Z',
          reason: 'FailedScheduling',
          action: 'Scheduling',
          involvedObject: pod('web'),
          message: 'no nodes',
          reportingComponent: 'default-scheduler',
          reportingInstance: expect.stringMatching(/^default-scheduler-./),
        }),
      ]);
      stores.clock.advance(1000);
      await record('still no nodes');
      await record('and so on');
      const series = () => recorded().map((event) => event.series);
      expect(series()).toEqual([{ count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }]);
      stores.clock.advance(12 * minute);
      await recorder.event({ regarding: pod('other'), type: 'Normal', reason: 'R', action: 'A', note: '' });
      expect(series().slice(1)).toEqual([{ count: 3, lastObservedTime: '2026-01-01T00:00:01.000000Z' }]);
      await record('later');
      expect(recorded()).toHaveLength(3);
    });
  });
});
