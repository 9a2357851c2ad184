import { describe, expect, test } from '@jest/globals';
import { podReadinessGates, podReady, podRestarts, podStatus } from '../../../../../runtime/kinds/core/pod/printer.ts';
import type { TestObject, TestValue } from '../../../../support/test-object.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const running = (name: string, more: TestValue = {}): TestValue => ({
  name,
  ready: true,
  state: { running: {} },
  ...more,
});

function pod(status: TestValue, spec: TestValue = {}, metadata: TestValue = {}): TestObject {
  return { metadata, spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec }, status };
}

describe('the row of a pod has its status', () => {
  const sidecar = { initContainers: [{ name: 'side', restartPolicy: 'Always' }] };
  const twoInits = { initContainers: [{ name: 'one' }, { name: 'two' }] };
  const initDone = { name: 'one', state: { terminated: { exitCode: 0 } } };
  test.each<[situation: string, pod: TestObject, ready: string, status: string]>([
    ['without container statuses', pod({ phase: 'Pending' }), '0/2', 'Pending'],
    ['with a reason', pod({ phase: 'Failed', reason: 'Evicted' }), '0/2', 'Evicted'],
    [
      'scheduling is gated',
      pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] }),
      '0/2',
      'SchedulingGated',
    ],
    ['all run', pod({ phase: 'Running', containerStatuses: [running('a'), running('b')] }), '2/2', 'Running'],
    [
      'the first waiting container counts',
      pod({
        phase: 'Running',
        containerStatuses: [
          { name: 'a', state: { waiting: { reason: 'CrashLoopBackOff' } } },
          { name: 'b', state: { waiting: { reason: 'ImagePullBackOff' } } },
        ],
      }),
      '0/2',
      'CrashLoopBackOff',
    ],
    [
      'ended without a reason',
      pod({ phase: 'Failed', containerStatuses: [{ name: 'a', state: { terminated: { exitCode: 3 } } }] }),
      '0/2',
      'ExitCode:3',
    ],
    [
      'ended by a signal',
      pod({ phase: 'Failed', containerStatuses: [{ name: 'a', state: { terminated: { signal: 9, exitCode: 137 } } }] }),
      '0/2',
      'Signal:9',
    ],
    [
      'one completed, one running, not ready',
      pod({
        phase: 'Running',
        containerStatuses: [{ name: 'a', state: { terminated: { reason: 'Completed' } } }, running('b')],
      }),
      '1/2',
      'NotReady',
    ],
    [
      'one completed, one running, ready',
      pod({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ name: 'a', state: { terminated: { reason: 'Completed' } } }, running('b')],
      }),
      '1/2',
      'Running',
    ],
    [
      'one completed, one failed',
      pod({
        phase: 'Failed',
        containerStatuses: [
          { name: 'a', state: { terminated: { reason: 'Completed', exitCode: 0 } } },
          { name: 'b', state: { terminated: { reason: 'OOMKilled', exitCode: 137 } } },
        ],
      }),
      '0/2',
      'OOMKilled',
    ],
    [
      'one completed, one failed without a reason, one running, not ready',
      pod({
        phase: 'Running',
        containerStatuses: [
          { name: 'a', state: { terminated: { reason: 'Completed', exitCode: 0 } } },
          { name: 'b', state: { terminated: { exitCode: 2 } } },
          running('c'),
        ],
      }),
      '1/2',
      'ExitCode:2',
    ],
    [
      'the second of two init containers is running',
      pod({ phase: 'Pending', initContainerStatuses: [initDone, { name: 'two', state: { running: {} } }] }, twoInits),
      '0/2',
      'Init:1/2',
    ],
    [
      'an init container failed',
      pod({ phase: 'Pending', initContainerStatuses: [{ name: 'one', state: { terminated: { exitCode: 1 } } }] }, twoInits),
      '0/2',
      'Init:ExitCode:1',
    ],
    [
      'an init container waits',
      pod({ phase: 'Pending', initContainerStatuses: [{ name: 'one', state: { waiting: { reason: 'ErrImagePull' } } }] }, twoInits),
      '0/2',
      'Init:ErrImagePull',
    ],
    [
      'a sidecar counts',
      pod(
        {
          phase: 'Running',
          initContainerStatuses: [running('side', { started: true })],
          containerStatuses: [running('a'), running('b')],
        },
        sidecar,
      ),
      '3/3',
      'Running',
    ],
    [
      'being deleted',
      pod({ phase: 'Running', containerStatuses: [running('a')] }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      '1/2',
      'Terminating',
    ],
    [
      'being deleted on a lost node',
      pod({ phase: 'Running', reason: 'NodeLost' }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      '0/2',
      'Unknown',
    ],
    ['finished, being deleted', pod({ phase: 'Succeeded' }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), '0/2', 'Succeeded'],
  ])('%s', (_, object, ready, status) => {
    expect([podReady(object), podStatus(object)]).toEqual([ready, status]);
  });
});

test('restarts show the time of the last one', () => {
  const restarted = (count: number, finishedAt: string): TestValue => ({
    restartCount: count,
    lastState: { terminated: { finishedAt } },
  });
  const object = pod({
    phase: 'Running',
    containerStatuses: [running('a', restarted(1, '2026-01-01T00:30:00Z')), running('b', restarted(2, '2026-01-01T00:55:00Z'))],
  });
  expect(podRestarts(object, now)).toBe('3 (5m ago)');
  expect(podRestarts(pod({ containerStatuses: [running('a')] }), now)).toBe('0');
});

test('restarts of sidecars count up to the first that is not ready', () => {
  const sidecars = ['one', 'two', 'three'].map((name) => ({ name, restartPolicy: 'Always' }));
  const object = pod(
    {
      phase: 'Running',
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [
        running('one', { started: true, restartCount: 1 }),
        { name: 'two', restartCount: 2, state: { waiting: {} } },
        running('three', { started: true, restartCount: 4 }),
      ],
      containerStatuses: [running('a', { restartCount: 8 })],
    },
    { initContainers: sidecars },
  );
  expect(podRestarts(object, now)).toBe('11');
});

test('readiness gates are counted', () => {
  const gates = { readinessGates: [{ conditionType: 'x.io/a' }, { conditionType: 'x.io/b' }] };
  expect(podReadinessGates(pod({ conditions: [{ type: 'x.io/a', status: 'True' }] }, gates))).toBe('1/2');
  expect(podReadinessGates(pod({}))).toBe('<none>');
});
