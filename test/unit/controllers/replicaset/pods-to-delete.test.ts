import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { podsToDelete } from '../../../../runtime/controllers/replicaset/pods-to-delete.ts';

const now = Date.UTC(2026, 0, 2);
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString().replace('.000Z', 'Z');

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  /** Seconds since the pod became ready. */
  readonly ready?: number;
  readonly cost?: string;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly age?: number;
  readonly uid?: string;
}

function pod(name: string, traits: Traits = {}): Pod {
  const { node = 'n', phase = 'Running', ready, cost, restarts = 0, sidecarRestarts, age = 100, uid = name } = traits;
  const container = { name: 'c', image: 'i', imageID: '', ready: true, restartCount: restarts };
  const sidecar = { name: 's', image: 'i', imageID: '', ready: true, restartCount: sidecarRestarts ?? 0 };
  return {
    metadata: {
      name,
      uid,
      creationTimestamp: ago(age),
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: {
      nodeName: node,
      containers: [{ name: 'c', image: 'i' }],
      ...(sidecarRestarts === undefined ? {} : { initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }] }),
    },
    status: {
      phase,
      containerStatuses: [container],
      initContainerStatuses: [sidecar],
      ...(ready === undefined ? {} : { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(ready) }] }),
    },
  };
}

// the first pod is always deleted before the second one
test.each<[string, Traits, Traits]>([
  ['is not assigned to a node', { node: '', ready: 5 }, { phase: 'Pending' }],
  ['is pending', { phase: 'Pending' }, { phase: 'Unknown' }],
  ['is in an unknown phase', { phase: 'Unknown', ready: 5 }, {}],
  ['is not ready', { cost: '5' }, { ready: 1, cost: '-5' }],
  ['costs less', { ready: 1000, cost: '-1' }, { ready: 1 }],
  ['costs less than one whose cost is no number', { ready: 1000, cost: '-1' }, { ready: 1, cost: '-2x' }],
  ['has been ready for a shorter time', { ready: 10, age: 900 }, { ready: 500 }],
  ['has been ready as long by magnitude, and has the lower uid', { ready: 101, uid: '1' }, { ready: 100, uid: '2' }],
  ['has restarted more often', { ready: 10, restarts: 2, age: 900 }, { ready: 10, restarts: 1 }],
  ['has a sidecar that restarted more often', { sidecarRestarts: 2, age: 900 }, { sidecarRestarts: 1 }],
  ['is younger', { age: 10 }, { age: 900 }],
])('the pod that %s is deleted first', (_why, first, second) => {
  const [a, b] = [pod('a', first), pod('b', second)] as const;
  expect(podsToDelete([a, b], 1, [], now)).toEqual([a]);
  expect(podsToDelete([b, a], 1, [], now)).toEqual([a]);
});

test('pods that share their node with more related pods are deleted first', () => {
  const lone = pod('lone', { node: 'n1', ready: 1 });
  const together = ['a', 'b'].map((name) => pod(name, { node: 'n2', ready: 1000 }));
  const related = [lone, ...together, pod('done', { node: 'n1', phase: 'Failed' })];
  expect(podsToDelete([lone, ...together], 1, related, now)[0]?.spec?.nodeName).toBe('n2');
  expect(podsToDelete([lone, ...together], 1, [], now)).toEqual([lone]);
});

test('nobody chooses if all of them go', () => {
  const all = [pod('a'), pod('b')];
  expect(podsToDelete(all, 5, [], now)).toEqual(all);
});
