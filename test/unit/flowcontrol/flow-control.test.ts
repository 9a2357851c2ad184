import { describe, expect, test } from '@jest/globals';
import { suggestedFlowSchemas } from '../../../runtime/flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../../../runtime/flowcontrol/bootstrap/priority-levels.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../../../runtime/flowcontrol/dump.ts';
import { type ClassifiedRequest, FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../../../runtime/flowcontrol/objects.ts';
import type { RequestInfo } from '../../../runtime/flowcontrol/request-info.ts';
import type { UserInfo } from '../../../runtime/machinery/user-info.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { requestInfo } from './queue-set-fixture.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const admin = user('admin', 'system:masters', 'system:authenticated');
const jane = user('jane', 'system:authenticated');

function level(name: string, limited: object): PriorityLevelConfiguration {
  return { metadata: { name, uid: `uid-${name}` }, spec: { type: 'Limited', limited } } as PriorityLevelConfiguration;
}

function schema(name: string, to: string, precedence: number, who: string): FlowSchema {
  const rule = {
    subjects: [{ kind: 'User', user: { name: who } }],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
  };
  return {
    metadata: { name, uid: `uid-${name}` },
    spec: {
      priorityLevelConfiguration: { name: to },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [rule],
    },
  };
}

const queue = (shares: number, more: object = {}): object => ({
  nominalConcurrencyShares: shares,
  lendablePercent: 0,
  limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 1, queueLengthLimit: 50 } },
  ...more,
});

class Fixture {
  readonly clock = new ManualClock();
  readonly control: FlowControl;

  constructor(levels: readonly PriorityLevelConfiguration[], schemas: readonly FlowSchema[], serverConcurrency = 600) {
    this.control = new FlowControl({ clock: this.clock, serverConcurrency, sizeOf: () => undefined });
    this.control.configure(levels, schemas);
  }

  start(who: UserInfo, request: Partial<RequestInfo> = {}): ClassifiedRequest {
    return this.control.start({ ...requestInfo, ...request }, who, new Map());
  }

  level(name: string) {
    const found = this.control.priorityLevels.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no level ${name}`);
    return found;
  }

  metric(text: string): number {
    const line = this.control.metrics
      .render()
      .split('\n')
      .find((one) => one.startsWith(`${text} `));
    return Number(line?.slice(text.length + 1));
  }
}

describe('the suggested configuration', () => {
  const fixture = new Fixture(suggestedPriorityLevels, suggestedFlowSchemas);
  const node = user('system:node:n', 'system:nodes', 'system:authenticated');
  const account = (namespace: string): UserInfo =>
    user(`system:serviceaccount:${namespace}:x`, 'system:serviceaccounts', 'system:authenticated');
  const manager = user('system:kube-controller-manager', 'system:authenticated');
  const lease = { group: 'coordination.k8s.io', resource: 'leases' };
  const path = (name: string): Partial<RequestInfo> => ({ isResourceRequest: false, path: name });

  test.each<[string, UserInfo, Partial<RequestInfo>, string]>([
    ['administrators', admin, {}, 'exempt exempt'],
    ['probes', jane, path('/healthz'), 'probes exempt'],
    ['parts of probes', jane, path('/readyz/ping'), 'probes exempt'],
    ['other paths', jane, path('/version'), 'global-default global-default'],
    ['nodes on nodes', node, { resource: 'nodes', namespace: '' }, 'system-node-high node-high'],
    ['the status of nodes', node, { resource: 'nodes', subresource: 'status', namespace: '' }, 'system-node-high node-high'],
    ['leases of nodes', node, lease, 'system-node-high node-high'],
    ['other resources of nodes', node, {}, 'system-nodes system'],
    ['leader election', manager, { ...lease, verb: 'update' }, 'system-leader-election leader-election'],
    ['lists of leases', manager, { ...lease, verb: 'list' }, 'kube-controller-manager workload-high'],
    ['the scheduler', user('system:kube-scheduler', 'system:authenticated'), {}, 'kube-scheduler workload-high'],
    ['controllers', account('kube-system'), {}, 'kube-system-service-accounts workload-high'],
    ['namespaces with similar names', account('kube-system2'), {}, 'service-accounts workload-low'],
    ['people', jane, {}, 'global-default global-default'],
    ['strangers', user('system:anonymous', 'system:unauthenticated'), {}, 'global-default global-default'],
    ['of an unknown user', user('odd'), {}, 'catch-all catch-all'],
  ])('classifies %s', (_, who, request, wanted) => {
    const admission = fixture.start(who, request);
    fixture.control.finish(admission);
    expect(`${admission.flow.flowSchema.name} ${admission.flow.flowSchema.priorityLevel.name}`).toBe(wanted);
  });

  test('gives levels seats by their shares, like upstream', () => {
    const limits = fixture.control.priorityLevels.map(({ name, limits: { nominal, lower } }) => `${name} ${nominal} ${lower}`);
    expect(limits).toEqual([
      'catch-all 13 13',
      'exempt 0 0',
      'global-default 49 24',
      'leader-election 25 25',
      'node-high 98 73',
      'system 74 50',
      'workload-high 98 49',
      'workload-low 245 24',
    ]);
    const current = fixture.control.priorityLevels.reduce((sum, one) => sum + one.current, 0);
    expect(Math.abs(current - 602)).toBeLessThanOrEqual(4);
  });
});

describe('schemas', () => {
  test('of equal precedence are matched in the order of their names', () => {
    const schemas = ['b', 'a', 'c'].map((name) => schema(name, 'one', 500, '*'));
    expect(new Fixture([level('one', queue(1))], schemas).start(jane).flow.flowSchema.name).toBe('a');
  });

  test('match the current groups of a user, even if the groups of that name have changed', () => {
    const fixture = new Fixture(suggestedPriorityLevels, suggestedFlowSchemas);
    const as = (...groups: string[]): string => fixture.start(user('jane', ...groups)).flow.flowSchema.name;
    expect([as('system:masters'), as('system:nodes'), as('system:authenticated'), as()]).toEqual([
      'exempt',
      'system-nodes',
      'global-default',
      'catch-all',
    ]);
  });

  test('of absent levels are skipped', () => {
    const fixture = new Fixture([], [schema('lost', 'nowhere', 500, 'jane')]);
    expect(fixture.start(jane).flow.flowSchema.name).toBe('catch-all');
  });

  test('distinguish flows by user, by namespace, or not at all', () => {
    const of = (type?: string): FlowSchema => {
      const made = schema('x', 'one', 500, '*');
      return {
        ...made,
        spec: made.spec && { ...made.spec, distinguisherMethod: type === undefined ? undefined : { type } },
      };
    };
    const distinguisher = (type?: string): string => new Fixture([level('one', queue(1))], [of(type)]).start(jane).flow.distinguisher;
    expect([distinguisher('ByUser'), distinguisher('ByNamespace'), distinguisher()]).toEqual(['jane', 'x', '']);
  });
});

describe('levels', () => {
  test('lend unused seats: within two periods a neighbor has them, and returns them on demand', () => {
    const levels = [level('idle', queue(50, { lendablePercent: 80 })), level('busy', queue(50))];
    const schemas = [schema('idle', 'idle', 500, 'owner'), schema('busy', 'busy', 500, 'jane')];
    const fixture = new Fixture(levels, schemas, 100);
    const { nominal } = fixture.level('busy').limits;
    const open = Array.from({ length: nominal + 48 }, () => fixture.start(jane));
    for (let period = 0; period < 2; period++) {
      fixture.clock.advance(10_000);
      fixture.control.updateBorrowing();
    }
    expect(fixture.level('busy').current).toBeGreaterThan(nominal);
    expect(open.filter(({ phase }) => phase === 'executing').length).toBe(fixture.level('busy').current);
    expect(fixture.level('idle').current).toBeGreaterThanOrEqual(fixture.level('idle').limits.lower);

    const owner = user('owner', 'system:authenticated');
    Array.from({ length: 60 }, () => fixture.start(owner));
    for (let period = 0; period < 2; period++) {
      fixture.clock.advance(10_000);
      fixture.control.updateBorrowing();
    }
    expect(fixture.level('idle').current).toBeGreaterThanOrEqual(fixture.level('idle').limits.nominal);
  });

  test('borrow no more than their limit', () => {
    const levels = [level('idle', queue(50, { lendablePercent: 100 })), level('busy', queue(50, { borrowingLimitPercent: 10 }))];
    const fixture = new Fixture(levels, [schema('busy', 'busy', 500, 'jane')], 100);
    Array.from({ length: 90 }, () => fixture.start(jane));
    fixture.clock.advance(10_000);
    fixture.control.updateBorrowing();
    const { nominal } = fixture.level('busy').limits;
    expect(fixture.level('busy').current).toBe(nominal + Math.round(nominal / 10));
  });

  test('that are deleted serve their queued requests first', () => {
    const fixture = new Fixture([level('one', queue(1))], [schema('x', 'one', 500, 'jane')]);
    const admission = fixture.start(jane);
    fixture.control.configure([], []);
    expect([fixture.level('one').quiescing, fixture.start(jane).flow.flowSchema.name]).toEqual([true, 'catch-all']);
    fixture.control.finish(admission);
    expect(fixture.control.priorityLevels.map(({ name }) => name)).toEqual(['catch-all', 'exempt']);
  });

  test('keep their counts when schemas change', () => {
    const fixture = new Fixture([level('one', queue(1))], [schema('x', 'one', 500, 'jane')]);
    fixture.control.finish(fixture.start(jane));
    fixture.control.configure([level('one', queue(2))], [schema('x', 'one', 600, 'jane')]);
    fixture.control.finish(fixture.start(jane));
    const labels = '{flow_schema="x",priority_level="one"}';
    expect(fixture.metric(`apiserver_flowcontrol_dispatched_requests_total${labels}`)).toBe(2);
  });
});

describe('rejected clients', () => {
  const crowded = (): Fixture =>
    new Fixture(
      [
        level('one', {
          nominalConcurrencyShares: 0,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Reject' },
        }),
      ],
      [schema('x', 'one', 500, 'jane')],
    );

  test('get a Retry-After that grows and shrinks with their number', () => {
    const fixture = crowded();
    const seconds: number[] = [];
    for (let second = 0; second < 8; second++) {
      for (let at = 0; at < 20; at++) fixture.start(jane);
      seconds.push(fixture.control.retryAfter(fixture.start(jane)));
      fixture.clock.advance(1000);
    }
    expect(seconds).toEqual([1, 2, 2, 4, 4, 4, 4, 8]);
    fixture.clock.advance(60_000);
    expect(fixture.control.retryAfter(fixture.start(jane))).toBe(7);
  });

  test('are counted, each once', () => {
    const fixture = crowded();
    // a level without seats executes one request at a time, as upstream
    for (let at = 0; at < 6; at++) fixture.start(jane);
    const labels = 'flow_schema="x",priority_level="one"';
    expect(fixture.metric(`apiserver_flowcontrol_rejected_requests_total{${labels},reason="concurrency-limit"}`)).toBe(5);
    expect(fixture.metric(`apiserver_flowcontrol_request_wait_duration_seconds_count{execute="false",${labels}}`)).toBe(5);
  });
});

test('count as rejected or executed, and none remains', () => {
  const fixture = new Fixture(
    [
      level(
        'one',
        queue(1, {
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 1, queueLengthLimit: 2 } },
        }),
      ),
    ],
    [schema('x', 'one', 500, 'jane')],
    6,
  );
  const all = Array.from({ length: 10 }, () => fixture.start(jane, { verb: 'update' }));
  fixture.clock.advance(50);
  const waiting = all.filter(({ phase }) => phase === 'waiting');
  fixture.control.cancel(waiting[0], 'time-out');
  fixture.control.cancel(waiting[1], 'cancelled');
  const labels = 'flow_schema="x",priority_level="one"';
  expect(fixture.metric(`apiserver_flowcontrol_current_executing_requests{${labels}}`)).toBe(1);
  for (const one of all) fixture.control.finish(one);
  const count = (name: string): number => fixture.metric(`apiserver_flowcontrol_${name}`);
  const rejected = ['queue-full', 'time-out', 'cancelled'].map((reason) => count(`rejected_requests_total{${labels},reason="${reason}"}`));
  expect(rejected).toEqual([7, 1, 1]);
  expect(count(`dispatched_requests_total{${labels}}`)).toBe(1);
  expect(count(`request_execution_seconds_count{${labels},type="regular"}`)).toBe(1);
  expect(count(`work_estimated_seats_count{${labels}}`)).toBe(10);
  for (const gauge of ['current_executing_requests', 'current_executing_seats', 'current_inqueue_requests', 'current_inqueue_seats']) {
    expect(`${gauge} ${count(`${gauge}{${labels}}`)}`).toBe(`${gauge} 0`);
  }
  expect(fixture.metric('apiserver_current_inqueue_requests{request_kind="mutating"}')).toBe(2);
  // queued requests were never in flight
  expect(fixture.metric('apiserver_current_inflight_requests{request_kind="mutating"}')).toBe(1);
});

test('every documented metric exists, unless there is nothing to count', () => {
  const fixture = new Fixture(suggestedPriorityLevels, suggestedFlowSchemas);
  fixture.control.finish(fixture.start(jane, { verb: 'update' }));
  const text = fixture.control.metrics.render();
  const names = [
    'rejected_requests_total',
    'dispatched_requests_total',
    'current_inqueue_requests',
    'current_inqueue_seats',
    'current_executing_requests',
    'current_executing_seats',
    'request_wait_duration_seconds',
    'nominal_limit_seats',
    'read_vs_write_current_requests',
    'priority_level_request_utilization',
    'priority_level_seat_utilization',
    'request_queue_length_after_enqueue',
    'lower_limit_seats',
    'upper_limit_seats',
    'demand_seats',
    'demand_seats_high_watermark',
    'demand_seats_average',
    'demand_seats_stdev',
    'demand_seats_smoothed',
    'target_seats',
    'seat_fair_frac',
    'current_limit_seats',
    'request_execution_seconds',
    'watch_count_samples',
    'work_estimated_seats',
    'epoch_advance_total',
    'request_dispatch_no_accommodation_total',
    'current_r',
    'dispatch_r',
    'latest_s',
    'next_s_bounds',
    'next_discounted_s_bounds',
  ];
  expect(names.filter((name) => !text.includes(`# TYPE apiserver_flowcontrol_${name} `))).toEqual([
    'rejected_requests_total',
    'epoch_advance_total',
  ]);
  expect(text).toContain('# TYPE apiserver_current_inqueue_requests gauge');
  expect(text).toContain(
    'apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="global-default",priority_level="global-default",le="0.005"} 1',
  );
});

describe('dumps', () => {
  const one = level('one', queue(1, { limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 2, queueLengthLimit: 5 } } }));
  const fixture = new Fixture([one], [schema('mine', 'one', 500, 'jane')], 6);
  const first = fixture.start(jane);
  fixture.clock.advance(1500);
  fixture.start(jane, { verb: 'update' });
  fixture.level('one').setSeats(1, 1);
  fixture.start(jane, { verb: 'list', name: '', group: 'apps' });

  test('of levels have their counts', () => {
    const [head, ...rows] = dumpPriorityLevels(fixture.control).trimEnd().split('\n');
    expect(head.split(/,\s+/)).toHaveLength(10);
    expect(rows.map((row) => row.split(/,\s+/).join(' '))).toContain('one 2 false false 2 1 1 0 0 0');
  });

  test('of queues have sums and progress', () => {
    const rows = dumpQueues(fixture.control)
      .split('\n')
      .filter((row) => row.startsWith('one'));
    expect(rows.map((row) => row.split(/,\s+/).slice(1, 5).join(' ')).sort()).toEqual(['0 1 0 0', '1 1 1 1']);
    expect(rows[0]).toMatch(/, +\d+\.\d{8}ss/);
  });

  test('of requests have arrival, cost, and with details their users', () => {
    const rows = dumpRequests(fixture.control, true).trimEnd().split('\n').slice(1);
    const cells = rows.map((row) => row.split(/,\s+/));
    const running = cells.find((row) => row[5] === new Date(first.arrivalTime).toISOString().replace('.000Z', 'Z'));
    expect(running?.slice(0, 2)).toEqual(['one', 'mine']);
    expect(running?.slice(3, 5)).toEqual(['-1', 'jane']);
    expect(running?.slice(10, 13)).toEqual(['jane', 'get', requestInfo.path]);
    const waiting = cells.find((row) => row[3] === '0' && row[11] === 'list');
    expect(waiting?.slice(5, 10)).toEqual(['2026-01-01T00:00:01.5Z', '1', '0', '0s', '0001-01-01T00:00:00Z']);
    expect(waiting?.slice(15, 17)).toEqual(['apps/v1', 'pods']);
    expect(dumpRequests(fixture.control, false).split('\n')[0].split(/,\s+/)).toHaveLength(10);
  });

  test('have aligned columns', () => {
    const lines = dumpPriorityLevels(fixture.control).trimEnd().split('\n');
    const second = lines[0].indexOf('ActiveQueues');
    expect(lines.every((line) => line[second - 1] === ' ' && line[second] !== ' ')).toBe(true);
  });
});
