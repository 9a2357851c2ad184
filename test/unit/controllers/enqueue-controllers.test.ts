import { expect, test } from '@jest/globals';
import { enqueueControllers } from '../../../runtime/controllers/enqueue-controllers.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import type { ResourceEventHandler, SharedInformer } from '../../../runtime/reconcile/informers/shared-informer.ts';

const owner = (uid: string): object => ({ kind: 'DaemonSet', name: `set-${uid}`, uid, apiVersion: 'apps/v1', controller: true });
const object = (metadata: object): KubeObject => ({ metadata: { namespace: 'default', name: 'one', ...metadata } }) as KubeObject;
const owned = (more: object = {}): KubeObject => object({ ownerReferences: [owner('a')], ...more });
const orphan = (more: object = {}): KubeObject => object({ labels: { app: 'b' }, ...more });
const sets = ['a', 'b'].map((uid) => ({ metadata: { namespace: 'default', name: `set-${uid}`, uid } }) as KubeObject);
const deletionTimestamp = '2026-01-01T00:00:00Z';

/** Returns the names of the owners that an event queues. */
function queuedBy(event: (handler: ResourceEventHandler<KubeObject>) => void, followsCreations: boolean): string[] {
  const queued: string[] = [];
  let handler: ResourceEventHandler<KubeObject> | undefined;
  const objects = {
    addEventHandler(given: ResourceEventHandler<KubeObject>) {
      handler = given;
      return () => undefined;
    },
  };
  const owners = { list: () => sets, get: (_: string, name: string) => sets.find(({ metadata }) => metadata.name === name) };
  enqueueControllers(objects as unknown as SharedInformer<KubeObject>, {
    kind: 'DaemonSet',
    owners: owners as unknown as SharedInformer<KubeObject>,
    queue: { addObject: ({ metadata }: KubeObject) => void queued.push(metadata.uid ?? '') } as never,
    selectorOf: ({ metadata }) => ({ matchLabels: { app: metadata.uid ?? '' } }),
    followsCreations,
  });
  event(handler as ResourceEventHandler<KubeObject>);
  return queued;
}

type Case = [string, (handler: ResourceEventHandler<KubeObject>) => void, want: string[], wantOfRevision: string[]];

/** Revisions of a daemon set do not queue it when they are created. (addHistory, updateHistory, deleteHistory) */
test.each<Case>([
  ['creation', ({ onAdd }) => onAdd?.(owned()), ['a'], []],
  ['creation of one that is being deleted', ({ onAdd }) => onAdd?.(owned({ deletionTimestamp })), ['a'], ['a']],
  ['creation of an orphan', ({ onAdd }) => onAdd?.(orphan()), ['b'], ['b']],
  ['creation of an orphan that is being deleted', ({ onAdd }) => onAdd?.(orphan({ deletionTimestamp })), [], []],
  ['update', ({ onUpdate }) => onUpdate?.(owned(), owned({ annotations: { a: 'b' } })), ['a'], ['a']],
  ['adoption', ({ onUpdate }) => onUpdate?.(orphan(), owned()), ['a'], ['a']],
  ['release', ({ onUpdate }) => onUpdate?.(owned(), orphan()), ['a', 'b'], ['a', 'b']],
  ['update of an orphan', ({ onUpdate }) => onUpdate?.(orphan(), orphan({ annotations: { a: 'b' } })), [], []],
  ['deletion', ({ onDelete }) => onDelete?.(owned()), ['a'], ['a']],
  ['deletion of an orphan', ({ onDelete }) => onDelete?.(orphan()), [], []],
])('the %s of an object queues its controllers', (_, event, want, wantOfRevision) => {
  expect(queuedBy(event, true)).toEqual(want);
  expect(queuedBy(event, false)).toEqual(wantOfRevision);
});
