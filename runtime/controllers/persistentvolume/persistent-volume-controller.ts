import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { StorageClass } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { annBindCompleted } from '../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import { claimNameOf } from '../../kinds/core/pod/volume-claims.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { type ObjectQueue, QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { Bindings } from './bindings.ts';
import { ClaimSync, type VolumeObjects } from './claim-sync.ts';
import { VolumeSync } from './volume-sync.ts';

const core = { group: '', version: 'v1' };
const claimResource = { ...core, resource: 'persistentvolumeclaims' };
const volumeResource = { ...core, resource: 'persistentvolumes' };
const serviceAccount = 'persistent-volume-binder';

/**
 * Binds claims to volumes, and writes the phases of both. Volumes have no namespace, so one queue holds both kinds.
 * (pkg/controller/volume/persistentvolume)
 */
export function persistentVolumeController(context: WorkloadContext): Controller {
  const { stores } = context;
  return new QueueController({
    context,
    name: 'persistentvolume-binder-controller',
    concurrency: 1,
    async open(queue) {
      const writer = writerOfController(serviceAccount);
      const objects = await openObjects(context);
      const { claims, volumes } = objects;
      const recorder = new EventRecorder(stores, 'persistentvolume-controller', writer);
      const bindings = new Bindings(
        await LoopbackClient.open<PersistentVolume>(stores, volumeResource, writer),
        await LoopbackClient.open<PersistentVolumeClaim>(stores, claimResource, writer),
      );
      const claimSync = new ClaimSync(objects, bindings, recorder);
      const volumeSync = new VolumeSync(objects, bindings, recorder, (claim) => queue.addObject(claim));
      addHandlers(objects, queue);
      return async ({ namespace, name }) => {
        const claim = namespace === '' ? undefined : claims.get(namespace, name);
        const volume = namespace === '' ? volumes.get('', name) : undefined;
        if (claim !== undefined) await claimSync.run(claim);
        if (volume !== undefined) await volumeSync.run(volume);
        return 'done';
      };
    },
  });
}

async function openObjects({ informers }: WorkloadContext): Promise<VolumeObjects> {
  return {
    claims: await informers.of<PersistentVolumeClaim>(claimResource),
    volumes: await informers.of<PersistentVolume>(volumeResource),
    classes: await informers.of<StorageClass>({ group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' }),
    pods: await informers.of<Pod>({ ...core, resource: 'pods' }),
  };
}

/** Queues claims on events. Upstream checks all claims every 15 seconds instead. */
function addHandlers({ claims, volumes, classes, pods }: VolumeObjects, queue: ObjectQueue): void {
  const enqueue = (object: KubeObject): void => queue.addObject(object);
  const enqueueUnboundClaims = (): void => {
    for (const claim of claims.list()) if (claim.metadata.annotations?.[annBindCompleted] === undefined) enqueue(claim);
  };
  const onClaim = (claim: PersistentVolumeClaim): void => {
    enqueue(claim);
    if (claim.spec?.volumeName) queue.add({ namespace: '', name: claim.spec.volumeName });
  };
  claims.addEventHandler({ onAdd: onClaim, onUpdate: (_, claim) => onClaim(claim), onDelete: onClaim });
  const onVolume = (volume: PersistentVolume): void => {
    enqueue(volume);
    if (!volume.spec?.claimRef) enqueueUnboundClaims();
  };
  const enqueueClaimOf = ({ spec }: PersistentVolume): void => {
    if (spec?.claimRef) queue.add({ namespace: spec.claimRef.namespace ?? '', name: spec.claimRef.name ?? '' });
  };
  volumes.addEventHandler({
    onAdd(volume) {
      onVolume(volume);
      enqueueClaimOf(volume);
    },
    onUpdate: (_, volume) => onVolume(volume),
    onDelete: enqueueClaimOf,
  });
  classes.addEventHandler({ onAdd: enqueueUnboundClaims, onUpdate: enqueueUnboundClaims });
  pods.addEventHandler({
    onAdd({ metadata, spec }) {
      for (const volume of (!spec?.nodeName && spec?.volumes) || []) {
        const { name = '' } = claimNameOf(volume, metadata.name ?? '') ?? {};
        const claim = claims.get(metadata.namespace ?? '', name);
        if (claim !== undefined && claim.metadata.annotations?.[annBindCompleted] === undefined) enqueue(claim);
      }
    },
  });
}
