import { describe, expect, test } from '@jest/globals';
import { seatSeconds } from '../../../runtime/flowcontrol/fair-queuing/work.ts';
import { QueueSetDesk } from './queue-set-desk.ts';

const work = (initialSeats: number, finalSeats = 0, additionalLatency = 0) => ({
  initialSeats,
  finalSeats,
  additionalLatency,
});

describe('a request', () => {
  test('is executed at once while seats are free, and waits when they are not', () => {
    const desk = new QueueSetDesk({ limit: 2 });
    const flow = desk.flow([0]);
    const [first, second, third] = [desk.start(flow), desk.start(flow), desk.start(flow)];
    expect([first.phase, second.phase, third.phase]).toEqual(['executing', 'executing', 'waiting']);
    const called: string[] = [];
    third.onDispatch = () => called.push(third.phase);
    desk.set.finish(first);
    expect(called).toEqual(['executing']);
    expect([first.phase, desk.set.seatsInUse, desk.set.waiting]).toEqual(['done', 2, 0]);
  });

  test('is refused where its queue is full', () => {
    const desk = new QueueSetDesk({ limit: 1, queueLengthLimit: 1 });
    const flow = desk.flow([0]);
    const all = [desk.start(flow), desk.start(flow), desk.start(flow)];
    expect(all.map(({ phase, refusal }) => refusal ?? phase)).toEqual(['executing', 'waiting', 'queue-full']);
    expect(flow.series.rejected).toEqual({ 'queue-full': 1 });
  });

  test('goes to the shortest queue of its hand', () => {
    const desk = new QueueSetDesk({ limit: 1, queues: 4 });
    const busy = desk.start(desk.flow([3]));
    const elephant = desk.flow([0, 1]);
    for (let at = 0; at < 6; at++) desk.start(elephant);
    const mouse = desk.start(desk.flow([1, 2]));
    expect(mouse.queue).toBe(desk.set.queues[2]);
    desk.set.finish(busy);
  });

  test('is refused at once where there are no queues and no seats', () => {
    const desk = new QueueSetDesk({ queues: 0, limit: 2 });
    const flow = desk.flow([]);
    const first = desk.start(flow);
    const all = [first, desk.start(flow), desk.start(flow)];
    expect(all.map(({ phase, refusal }) => refusal ?? phase)).toEqual(['executing', 'executing', 'concurrency-limit']);
    desk.set.finish(first);
    expect(desk.start(flow).phase).toBe('executing');
  });

  test('of an exempt level never waits, and its seats are counted', () => {
    const desk = new QueueSetDesk({ queues: 0, limit: 0, exempt: true });
    const flow = desk.flow([]);
    const all = Array.from({ length: 5 }, () => desk.start(flow, work(3)));
    expect(all.every(({ phase }) => phase === 'executing')).toBe(true);
    expect(desk.set.seatsInUse).toBe(15);
  });

  test('that is wider than the level runs when it is alone', () => {
    const desk = new QueueSetDesk({ limit: 2 });
    const flow = desk.flow([0]);
    const narrow = desk.start(flow);
    const wide = desk.start(flow, work(5));
    const behind = desk.start(flow);
    expect([wide.phase, behind.phase]).toEqual(['waiting', 'waiting']);
    expect(flow.series.noAccommodation).toBeGreaterThan(0);
    desk.set.finish(narrow);
    expect([wide.phase, behind.phase]).toEqual(['executing', 'waiting']);
    desk.set.finish(wide);
    expect(behind.phase).toBe('executing');
  });

  test('keeps its final seats for as long as it lingers', () => {
    const desk = new QueueSetDesk({ limit: 2 });
    const flow = desk.flow([0]);
    const write = desk.start(flow, work(1, 2, 10));
    const next = desk.start(flow);
    expect([write.phase, next.phase, desk.set.seatsInUse]).toEqual(['executing', 'waiting', 2]);
    desk.set.finish(write);
    expect([write.phase, next.phase, desk.set.executing]).toEqual(['lingering', 'waiting', 0]);
    desk.clock.advance(10);
    expect([write.phase, next.phase, desk.set.seatsInUse]).toEqual(['done', 'executing', 1]);
  });

  test('has no more final seats than there are, and keeps them for longer', () => {
    const desk = new QueueSetDesk({ limit: 2 });
    const flow = desk.flow([0]);
    const write = desk.start(flow, work(1, 6, 10));
    expect([write.phase, desk.set.seatsInUse, flow.series.executingSeats]).toEqual(['executing', 2, 2]);
    desk.set.finish(write);
    desk.clock.advance(29);
    expect([write.phase, desk.set.seatsInUse]).toEqual(['lingering', 2]);
    desk.clock.advance(1);
    expect([write.phase, desk.set.seatsInUse, flow.series.executingSeats]).toEqual(['done', 0, 0]);
  });

  test('that leaves its queue lets others through, and is counted by why it left', () => {
    const desk = new QueueSetDesk({ limit: 1 });
    const flow = desk.flow([0]);
    const first = desk.start(flow);
    const [gone, late, last] = [desk.start(flow), desk.start(flow), desk.start(flow)];
    expect([desk.set.cancel(gone, 'cancelled'), desk.set.cancel(gone, 'cancelled')]).toEqual([true, false]);
    expect(desk.set.cancel(late, 'time-out')).toBe(true);
    desk.set.finish(first);
    expect([gone.phase, late.phase, last.phase]).toEqual(['refused', 'refused', 'executing']);
    expect(flow.series.rejected).toEqual({ cancelled: 1, 'time-out': 1 });
    expect(desk.set.totals).toEqual({ dispatched: 2, rejected: 2, timedOut: 1, cancelled: 1 });
    expect(desk.set.cancel(last, 'cancelled')).toBe(false);
  });

  test('is finished once', () => {
    const desk = new QueueSetDesk({ limit: 1 });
    const request = desk.start(desk.flow([0]));
    desk.set.finish(request);
    desk.set.finish(request);
    expect([desk.set.seatsInUse, desk.set.executing, desk.set.idle]).toEqual([0, 0, true]);
  });
});

describe('the level', () => {
  test('dispatches what waits when it gets more seats', () => {
    const desk = new QueueSetDesk({ limit: 1 });
    const flow = desk.flow([0]);
    const all = [desk.start(flow), desk.start(flow), desk.start(flow)];
    desk.configure({ limit: 3 });
    expect(all.map(({ phase }) => phase)).toEqual(['executing', 'executing', 'executing']);
  });

  test('with no seats lets requests wait', () => {
    const desk = new QueueSetDesk({ limit: 0 });
    const request = desk.start(desk.flow([0]));
    expect(request.phase).toBe('waiting');
    desk.configure({ limit: 1 });
    expect(request.phase).toBe('executing');
  });

  test('drops queues that are too many when they are empty, and no request of theirs', () => {
    const desk = new QueueSetDesk({ limit: 1, queues: 8 });
    const [first, second] = [desk.start(desk.flow([7])), desk.start(desk.flow([6]))];
    desk.configure({ queues: 2 });
    expect(desk.set.queues).toHaveLength(4);
    desk.set.finish(first);
    expect([desk.set.queues.length, second.phase]).toEqual([3, 'executing']);
    desk.set.finish(second);
    expect(desk.set.queues).toHaveLength(2);
  });

  test('that ceases to queue refuses newcomers and serves who waited', () => {
    const desk = new QueueSetDesk({ limit: 1, queues: 2 });
    const [first, second] = [desk.start(desk.flow([0])), desk.start(desk.flow([1]))];
    desk.configure({ queues: 0 });
    expect(desk.start(desk.flow([])).refusal).toBe('concurrency-limit');
    desk.set.finish(first);
    expect(second.phase).toBe('executing');
    desk.set.finish(second);
    expect([desk.set.queues.length, desk.set.idle]).toEqual([0, true]);
  });

  test('says when its last request is gone', () => {
    const desk = new QueueSetDesk({ limit: 1 });
    let idle = 0;
    desk.set.onIdle = () => idle++;
    const flow = desk.flow([0]);
    const [first, second] = [desk.start(flow), desk.start(flow)];
    desk.set.finish(first);
    expect(idle).toBe(0);
    desk.set.finish(second);
    expect(idle).toBe(1);
  });

  test('winds the progress meter back before it loses digits, and goes on as before', () => {
    const desk = new QueueSetDesk({ limit: 600, queues: 2 });
    const [mine, theirs] = [desk.flow([0]), desk.flow([1])];
    const open = Array.from({ length: 600 }, (_, at) => desk.start(at % 2 === 0 ? mine : theirs));
    const waiting = [desk.start(mine), desk.start(theirs), desk.start(mine)];
    // half of 600 seats each: a day and a half to the first epoch
    for (let hour = 0; hour < 72; hour++) desk.clock.advance(3_600_000);
    desk.set.cancel(waiting[2], 'cancelled');
    expect(desk.series.epochAdvances).toBeGreaterThan(0);
    expect(desk.series.currentR).toBeLessThan(2 ** 52);
    desk.set.finish(open[0]);
    desk.set.finish(open[1]);
    expect(waiting.map(({ phase }) => phase)).toEqual(['executing', 'executing', 'refused']);
  });

  test('knows what it is asked for: the average, the deviation and the most over time', () => {
    const desk = new QueueSetDesk({ limit: 1 });
    const flow = desk.flow([0]);
    desk.clock.advance(1000);
    const first = desk.start(flow);
    const second = desk.start(flow, work(2));
    desk.clock.advance(1000);
    desk.set.finish(first);
    desk.set.finish(second);
    desk.clock.advance(2000);
    expect(desk.series.use.reckoned.moments.summarize(desk.clock.now())).toEqual({
      duration: 4,
      average: 0.75,
      deviation: Math.sqrt(9 / 4 - 0.75 ** 2),
      max: 3,
    });
    expect(desk.series.use.reckoned.moments.summarize(desk.clock.now())).toEqual({
      duration: 0,
      average: 0,
      deviation: 0,
      max: 0,
    });
  });

  test('charges a request for what it took rather than for the guess', () => {
    const desk = new QueueSetDesk({ limit: 1 });
    const flow = desk.flow([0]);
    const request = desk.start(flow);
    const { nextDispatchR } = desk.set.queues[0];
    desk.clock.advance(10);
    desk.set.finish(request);
    expect(desk.set.queues[0].nextDispatchR - nextDispatchR).toBe(seatSeconds(1, 7));
  });
});
