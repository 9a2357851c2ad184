import type { PersistentVolume, PersistentVolumeClaim } from '../../../../../generated/v1.35/core/v1/types.ts';
import type { CSINode, StorageClass } from '../../../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { ControllerContext } from '../../../../controllers/controller-context.ts';
import { type ClaimName, claimNameOf } from '../../../../kinds/core/pod/volume-claims.ts';
import type { SharedInformer } from '../../../../reconcile/informers/shared-informer.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** The listers of the volume plugins. */
export interface VolumeListers {
  readonly claims: SharedInformer<PersistentVolumeClaim>;
  readonly volumes: SharedInformer<PersistentVolume>;
  readonly classes: SharedInformer<StorageClass>;
  readonly csiNodes: SharedInformer<CSINode>;
}

export async function openVolumeListers({ informers }: Pick<ControllerContext, 'informers'>): Promise<VolumeListers> {
  const core = { group: '', version: 'v1' };
  const storage = { group: 'storage.k8s.io', version: 'v1' };
  return {
    claims: await informers.of<PersistentVolumeClaim>({ ...core, resource: 'persistentvolumeclaims' }),
    volumes: await informers.of<PersistentVolume>({ ...core, resource: 'persistentvolumes' }),
    classes: await informers.of<StorageClass>({ ...storage, resource: 'storageclasses' }),
    csiNodes: await informers.of<CSINode>({ ...storage, resource: 'csinodes' }),
  };
}

export function claimNamesOf({ pod, name }: PodInfo): ClaimName[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) => {
    const claim = claimNameOf(volume, name);
    return claim === undefined ? [] : [claim];
  });
}

export const usesClaims = ({ pod }: Pick<PodInfo, 'pod'>): boolean =>
  pod.spec?.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim ?? ephemeral) ?? false;

export const claimNotFound = (name: string): string => `persistentvolumeclaim "${name}" not found`;
