import type { PersistentVolumeClaim, Pod, Volume } from '../../../generated/v1.35/core/v1/types.ts';
import { ephemeralClaimName, notForPod } from '../../kinds/core/pod/volume-claims.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { IndexFunction } from '../../reconcile/informers/index-by.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';

const podResource = { group: '', version: 'v1', resource: 'pods' };
const claimResource = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };

/**
 * Creates the claims of pods' ephemeral volumes. The pods own them, so both are deleted together.
 * (pkg/controller/volume/ephemeral)
 */
export function ephemeralVolumeController(context: WorkloadContext): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: 'ephemeral-volume-controller',
    async open(queue) {
      const writer = writerOfController('ephemeral-volume-controller');
      const recorder = new EventRecorder(stores, 'ephemeral_volume', writer);
      const pods = await informers.of<Pod>(podResource);
      const claims = await informers.of<PersistentVolumeClaim>(claimResource);
      const client = await LoopbackClient.open<PersistentVolumeClaim>(stores, claimResource, writer);
      const byClaim = pods.index(byEphemeralClaim);
      const enqueue = (pod: Pod): void => {
        if (!pod.metadata.deletionTimestamp && ephemeralVolumes(pod).length > 0) queue.addObject(pod);
      };
      pods.addEventHandler({
        onAdd: enqueue,
        onUpdate(before, after) {
          if (before.metadata.uid !== after.metadata.uid) enqueue(after);
        },
      });
      claims.addEventHandler({
        onDelete({ metadata: { namespace = '', name = '' } }) {
          for (const pod of byClaim.of(claimKey(namespace, name))) enqueue(pod);
        },
      });
      return async ({ namespace, name }) => {
        const pod = pods.get(namespace, name);
        if (pod === undefined || pod.metadata.deletionTimestamp) return 'done';
        for (const volume of ephemeralVolumes(pod)) {
          const claim = claims.get(namespace, ephemeralClaimName(name, volume.name));
          const problem = claim === undefined ? await createClaim(pod, volume, client) : notForPod(claim, pod.metadata);
          if (problem === undefined) continue;
          const message = `ephemeral volume ${volume.name}: ${problem}`;
          recorder.event(referenceTo(pod), { type: 'Warning', reason: 'FailedBinding', message });
          return 'retry';
        }
        return 'done';
      };
    },
  });
}

const ephemeralVolumes = ({ spec }: Pod): readonly Volume[] => spec?.volumes?.filter(({ ephemeral }) => ephemeral !== undefined) ?? [];

const claimKey = (namespace: string, claim: string): string => `${namespace}/${claim}`;

const byEphemeralClaim: IndexFunction<Pod> = (pod) => {
  const { namespace = '', name = '' } = pod.metadata;
  return ephemeralVolumes(pod).map((volume) => claimKey(namespace, ephemeralClaimName(name, volume.name)));
};

/** Returns the error of a claim that could not be created. */
async function createClaim(
  { metadata: { namespace, name = '', uid = '' } }: Pod,
  { name: volume, ephemeral }: Volume,
  client: LoopbackClient<PersistentVolumeClaim>,
): Promise<string | undefined> {
  const { metadata: { annotations, labels } = {}, spec } = ephemeral?.volumeClaimTemplate ?? {};
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true };
  const claimName = ephemeralClaimName(name, volume);
  try {
    await client.add({
      metadata: defined({ namespace, name: claimName, ownerReferences: [owner], annotations, labels }),
      ...defined({ spec }),
    });
    return undefined;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return `create PVC ${claimName}: ${error.message}`;
  }
}
