import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { claimNameOf } from '../../kinds/core/pod/volume-claims.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type Protection, ProtectionController } from './protection-controller.ts';

const coreResource = (resource: string) => ({ group: '', version: 'v1', resource });

const claims: Protection = {
  protects: coreResource('persistentvolumeclaims'),
  finalizer: 'kubernetes.io/pvc-protection',
  serviceAccount: 'pvc-protection-controller',
  users: [coreResource('pods')],
  isInUse: isClaimInUse,
};

const volumes: Protection = {
  protects: coreResource('persistentvolumes'),
  finalizer: 'kubernetes.io/pv-protection',
  serviceAccount: 'pv-protection-controller',
  users: [],
  isInUse: async (volume) => (volume as core.PersistentVolume).status?.phase === 'Bound',
};

const attributesClasses: Protection = {
  protects: { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses' },
  finalizer: 'kubernetes.io/vac-protection',
  serviceAccount: 'volumeattributesclass-protection-controller',
  users: [coreResource('persistentvolumeclaims'), coreResource('persistentvolumes')],
  isInUse: isAttributesClassInUse,
};

export const pvcProtectionController = (context: ControllerContext): Controller => new ProtectionController(context, claims);
export const pvProtectionController = (context: ControllerContext): Controller => new ProtectionController(context, volumes);
export const vacProtectionController = (context: ControllerContext): Controller => new ProtectionController(context, attributesClasses);

/** Reports whether a pod on a node has the claim. Other pods cannot start any longer. (podUsesPVC) */
async function isClaimInUse({ metadata }: KubeObject, stores: ResourceStores): Promise<boolean> {
  if (!stores.serves('', 'v1', 'pods')) return false;
  const { name = '', namespace = '', ownerReferences = [] } = metadata;
  const pods = (await stores.byResource('', 'v1', 'pods')).collection.latest();
  const text = Buffer.from(name);
  for (const stored of pods.scan({ namespace })) {
    const isOwner = ownerReferences.some(({ uid }) => uid === stored.uid);
    if ((isOwner || stored.mentions(text)) && usesClaim(stored.decode() as core.Pod, name)) return true;
  }
  return false;
}

function usesClaim({ metadata, spec }: core.Pod, claim: string): boolean {
  if (!spec?.nodeName) return false;
  const isShutDown = metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
  return (spec.volumes ?? []).some((volume) => {
    const used = claimNameOf(volume, metadata.name ?? '');
    return used?.name === claim && !(used.isEphemeral && isShutDown);
  });
}

/** Reports whether a claim or a volume has the class, or had it and still may. (isBeingUsed) */
async function isAttributesClassInUse({ metadata }: KubeObject, stores: ResourceStores): Promise<boolean> {
  const { name = '' } = metadata;
  const text = Buffer.from(name);
  for (const resource of ['persistentvolumeclaims', 'persistentvolumes']) {
    if (!stores.serves('', 'v1', resource)) continue;
    for (const stored of (await stores.byResource('', 'v1', resource)).collection.latest().scan()) {
      if (stored.mentions(text) && namesClass(stored.decode(), name)) return true;
    }
  }
  return false;
}

function namesClass(object: KubeObject, name: string): boolean {
  const { spec, status } = object as core.PersistentVolumeClaim;
  const modified = status?.modifyVolumeStatus?.targetVolumeAttributesClassName;
  return [spec?.volumeAttributesClassName, status?.currentVolumeAttributesClassName, modified].includes(name);
}
