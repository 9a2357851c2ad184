import { describe, expect, test } from '@jest/globals';
import { seatSeconds } from '../../../runtime/flowcontrol/fair-queuing/work.ts';
import { QueueSetFixture } from './queue-set-fixture.ts';

const work = (initialSeats: number, finalSeats = 0, additionalLatency = 0) => ({
  initialSeats,
  finalSeats,
  additionalLatency,
});

describe('a request', () => {
  test('executes at once while seats are free, and otherwise waits', () => {
    const fixture = new QueueSetFixture({ limit: 2 });
    const flow = fixture.flow([0]);
    const [first, second, third] = [fixture.start(flow), fixture.start(flow), fixture.start(flow)];
    expect([first.phase, second.phase, third.phase]).toEqual(['executing', 'executing', 'waiting']);
    const called: string[] = [];
    third.onDispatch = () => called.push(third.phase);
    fixture.set.finish(first);
    expect(called).toEqual(['executing']);
    expect([first.phase, fixture.set.seatsInUse, fixture.set.waiting]).toEqual(['done', 2, 0]);
  });

  test('is rejected if its queue is full', () => {
    const fixture = new QueueSetFixture({ limit: 1, queueLengthLimit: 1 });
    const flow = fixture.flow([0]);
    const all = [fixture.start(flow), fixture.start(flow), fixture.start(flow)];
    expect(all.map(({ phase, rejectReason }) => rejectReason ?? phase)).toEqual(['executing', 'waiting', 'queue-full']);
    expect(flow.metrics.rejectedRequests).toEqual({ 'queue-full': 1 });
  });

  test('joins the shortest queue of its hand', () => {
    const fixture = new QueueSetFixture({ limit: 1, queues: 4 });
    const busy = fixture.start(fixture.flow([3]));
    const elephant = fixture.flow([0, 1]);
    for (let at = 0; at < 6; at++) fixture.start(elephant);
    const mouse = fixture.start(fixture.flow([1, 2]));
    expect(mouse.queue).toBe(fixture.set.queues[2]);
    fixture.set.finish(busy);
  });

  test('is rejected at once without queues and seats', () => {
    const fixture = new QueueSetFixture({ queues: 0, limit: 2 });
    const flow = fixture.flow([]);
    const first = fixture.start(flow);
    const all = [first, fixture.start(flow), fixture.start(flow)];
    expect(all.map(({ phase, rejectReason }) => rejectReason ?? phase)).toEqual(['executing', 'executing', 'concurrency-limit']);
    fixture.set.finish(first);
    expect(fixture.start(flow).phase).toBe('executing');
  });

  test('of an exempt level never waits, and its seats are counted', () => {
    const fixture = new QueueSetFixture({ queues: 0, limit: 0, exempt: true });
    const flow = fixture.flow([]);
    const all = Array.from({ length: 5 }, () => fixture.start(flow, work(3)));
    expect(all.every(({ phase }) => phase === 'executing')).toBe(true);
    expect(fixture.set.seatsInUse).toBe(15);
  });

  test('that is wider than the level executes alone', () => {
    const fixture = new QueueSetFixture({ limit: 2 });
    const flow = fixture.flow([0]);
    const narrow = fixture.start(flow);
    const wide = fixture.start(flow, work(5));
    const behind = fixture.start(flow);
    expect([wide.phase, behind.phase]).toEqual(['waiting', 'waiting']);
    expect(flow.metrics.noAccommodation).toBeGreaterThan(0);
    fixture.set.finish(narrow);
    expect([wide.phase, behind.phase]).toEqual(['executing', 'waiting']);
    fixture.set.finish(wide);
    expect(behind.phase).toBe('executing');
  });

  test('keeps its final seats for its additional latency', () => {
    const fixture = new QueueSetFixture({ limit: 2 });
    const flow = fixture.flow([0]);
    const write = fixture.start(flow, work(1, 2, 10));
    const next = fixture.start(flow);
    expect([write.phase, next.phase, fixture.set.seatsInUse]).toEqual(['executing', 'waiting', 2]);
    fixture.set.finish(write);
    expect([write.phase, next.phase, fixture.set.executing]).toEqual(['lingering', 'waiting', 0]);
    fixture.clock.advance(10);
    expect([write.phase, next.phase, fixture.set.seatsInUse]).toEqual(['done', 'executing', 1]);
  });

  test('has no more final seats than exist, and keeps them longer', () => {
    const fixture = new QueueSetFixture({ limit: 2 });
    const flow = fixture.flow([0]);
    const write = fixture.start(flow, work(1, 6, 10));
    expect([write.phase, fixture.set.seatsInUse, flow.metrics.executingSeats]).toEqual(['executing', 2, 2]);
    fixture.set.finish(write);
    fixture.clock.advance(29);
    expect([write.phase, fixture.set.seatsInUse]).toEqual(['lingering', 2]);
    fixture.clock.advance(1);
    expect([write.phase, fixture.set.seatsInUse, flow.metrics.executingSeats]).toEqual(['done', 0, 0]);
  });

  test('that leaves its queue lets others through, and is counted by reason', () => {
    const fixture = new QueueSetFixture({ limit: 1 });
    const flow = fixture.flow([0]);
    const first = fixture.start(flow);
    const [gone, late, last] = [fixture.start(flow), fixture.start(flow), fixture.start(flow)];
    expect([fixture.set.cancel(gone, 'cancelled'), fixture.set.cancel(gone, 'cancelled')]).toEqual([true, false]);
    expect(fixture.set.cancel(late, 'time-out')).toBe(true);
    fixture.set.finish(first);
    expect([gone.phase, late.phase, last.phase]).toEqual(['rejected', 'rejected', 'executing']);
    expect(flow.metrics.rejectedRequests).toEqual({ cancelled: 1, 'time-out': 1 });
    expect(fixture.set.totals).toEqual({ dispatched: 2, rejected: 2, timedOut: 1, cancelled: 1 });
    expect(fixture.set.cancel(last, 'cancelled')).toBe(false);
  });

  test('finishes only once', () => {
    const fixture = new QueueSetFixture({ limit: 1 });
    const request = fixture.start(fixture.flow([0]));
    fixture.set.finish(request);
    fixture.set.finish(request);
    expect([fixture.set.seatsInUse, fixture.set.executing, fixture.set.idle]).toEqual([0, 0, true]);
  });
});

describe('a queue set', () => {
  test('dispatches waiting requests when it gets more seats', () => {
    const fixture = new QueueSetFixture({ limit: 1 });
    const flow = fixture.flow([0]);
    const all = [fixture.start(flow), fixture.start(flow), fixture.start(flow)];
    fixture.configure({ limit: 3 });
    expect(all.map(({ phase }) => phase)).toEqual(['executing', 'executing', 'executing']);
  });

  test('without seats lets requests wait', () => {
    const fixture = new QueueSetFixture({ limit: 0 });
    const request = fixture.start(fixture.flow([0]));
    expect(request.phase).toBe('waiting');
    fixture.configure({ limit: 1 });
    expect(request.phase).toBe('executing');
  });

  test('drops surplus queues when they are empty, and none of their requests', () => {
    const fixture = new QueueSetFixture({ limit: 1, queues: 8 });
    const [first, second] = [fixture.start(fixture.flow([7])), fixture.start(fixture.flow([6]))];
    fixture.configure({ queues: 2 });
    expect(fixture.set.queues).toHaveLength(4);
    fixture.set.finish(first);
    expect([fixture.set.queues.length, second.phase]).toEqual([3, 'executing']);
    fixture.set.finish(second);
    expect(fixture.set.queues).toHaveLength(2);
  });

  test('that stops queuing rejects new requests and serves waiting ones', () => {
    const fixture = new QueueSetFixture({ limit: 1, queues: 2 });
    const [first, second] = [fixture.start(fixture.flow([0])), fixture.start(fixture.flow([1]))];
    fixture.configure({ queues: 0 });
    expect(fixture.start(fixture.flow([])).rejectReason).toBe('concurrency-limit');
    fixture.set.finish(first);
    expect(second.phase).toBe('executing');
    fixture.set.finish(second);
    expect([fixture.set.queues.length, fixture.set.idle]).toEqual([0, true]);
  });

  test('reports when its last request is finished', () => {
    const fixture = new QueueSetFixture({ limit: 1 });
    let idle = 0;
    fixture.set.onIdle = () => idle++;
    const flow = fixture.flow([0]);
    const [first, second] = [fixture.start(flow), fixture.start(flow)];
    fixture.set.finish(first);
    expect(idle).toBe(0);
    fixture.set.finish(second);
    expect(idle).toBe(1);
  });

  test('resets the progress meter before it loses precision, without an effect on requests', () => {
    const fixture = new QueueSetFixture({ limit: 600, queues: 2 });
    const [mine, theirs] = [fixture.flow([0]), fixture.flow([1])];
    const open = Array.from({ length: 600 }, (_, at) => fixture.start(at % 2 === 0 ? mine : theirs));
    const waiting = [fixture.start(mine), fixture.start(theirs), fixture.start(mine)];
    // half of 600 seats each: a day and a half to the first epoch
    for (let hour = 0; hour < 72; hour++) fixture.clock.advance(3_600_000);
    fixture.set.cancel(waiting[2], 'cancelled');
    expect(fixture.metrics.epochAdvances).toBeGreaterThan(0);
    expect(fixture.metrics.currentR).toBeLessThan(2 ** 52);
    fixture.set.finish(open[0]);
    fixture.set.finish(open[1]);
    expect(waiting.map(({ phase }) => phase)).toEqual(['executing', 'executing', 'rejected']);
  });

  test('records the average, the deviation and the maximum of its demand', () => {
    const fixture = new QueueSetFixture({ limit: 1 });
    const flow = fixture.flow([0]);
    fixture.clock.advance(1000);
    const first = fixture.start(flow);
    const second = fixture.start(flow, work(2));
    fixture.clock.advance(1000);
    fixture.set.finish(first);
    fixture.set.finish(second);
    fixture.clock.advance(2000);
    expect(fixture.metrics.concurrency.aggregates.seatDemandIntegrator.reset(fixture.clock.now())).toEqual({
      duration: 4,
      average: 0.75,
      deviation: Math.sqrt(9 / 4 - 0.75 ** 2),
      max: 3,
    });
    expect(fixture.metrics.concurrency.aggregates.seatDemandIntegrator.reset(fixture.clock.now())).toEqual({
      duration: 0,
      average: 0,
      deviation: 0,
      max: 0,
    });
  });

  test('charges a request for its actual width and time', () => {
    const fixture = new QueueSetFixture({ limit: 1 });
    const flow = fixture.flow([0]);
    const request = fixture.start(flow);
    const { nextDispatchR } = fixture.set.queues[0];
    fixture.clock.advance(10);
    fixture.set.finish(request);
    expect(fixture.set.queues[0].nextDispatchR - nextDispatchR).toBe(seatSeconds(1, 7));
  });
});
