import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { StorageClass } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { quantityOf } from '../../kinds/core/resource-list.ts';
import { storageClassAnnotation } from '../../kinds/core/storage-class-annotation.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Lister } from '../../resources/lister.ts';
import { newForbidden } from '../errors.ts';
import type { Plugin, PluginFactory } from '../plugin.ts';
import { onCore } from '../resources.ts';

type PersistentVolumeClaim = Unvalidated<core.PersistentVolumeClaim>;

/**
 * Lets a claim grow only if it is bound and its storage class allows expansion.
 * (plugin/pkg/admission/storage/persistentvolume/resize)
 */
export const newPersistentVolumeClaimResize: PluginFactory = ({ listers }): Plugin => {
  let classes: Lister<StorageClass>;
  const allowsResize = (claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean => {
    const name = storageClassOf(claim);
    if (name === '' || name !== storageClassOf(old)) return false;
    return classes.get('', name)?.allowVolumeExpansion === true;
  };
  return {
    handles: onCore('persistentvolumeclaims', 'UPDATE'),
    async start() {
      classes = await listers.open({ group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' });
    },
    validate(attributes) {
      const claim = attributes.object as PersistentVolumeClaim;
      const old = attributes.oldObject as PersistentVolumeClaim;
      if (requestedStorage(claim) === requestedStorage(old)) return;
      if (compareQuantities(quantityOf(requestedStorage(claim)), quantityOf(requestedStorage(old))) <= 0) return;
      if (old.status?.phase !== 'Bound') {
        throw newForbidden(attributes, 'Only bound persistent volume claims can be expanded');
      }
      if (allowsResize(claim, old)) return;
      const message = 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
      throw newForbidden(attributes, message);
    },
  };
};

const requestedStorage = ({ spec }: PersistentVolumeClaim): string => spec?.resources?.requests?.storage ?? '0';

/** (GetPersistentVolumeClaimClass) */
const storageClassOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  metadata?.annotations?.[storageClassAnnotation] ?? spec?.storageClassName ?? '';
