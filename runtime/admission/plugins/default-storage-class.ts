import type { PersistentVolumeClaim } from '../../../generated/v1.35/core/v1/types.ts';
import type { StorageClass } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { storageClassAnnotation } from '../../kinds/core/storage-class-annotation.ts';
import { defaultClassAnnotations } from '../../kinds/storage.k8s.io/default-class.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { DefaultClass } from '../default-class.ts';
import type { Plugin, PluginFactory } from '../plugin.ts';
import { onCore } from '../resources.ts';

/** Sets the default storage class of claims without one. (plugin/pkg/admission/storage/storageclass/setdefault) */
export const newDefaultStorageClass: PluginFactory = ({ listers }): Plugin => {
  let defaultClass: DefaultClass<StorageClass>;
  return {
    handles: onCore('persistentvolumeclaims', 'CREATE'),
    async start() {
      const resource = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
      defaultClass = new DefaultClass(await listers.open<StorageClass>(resource), defaultClassAnnotations);
    },
    admit({ object }) {
      const claim = object as Unvalidated<PersistentVolumeClaim>;
      if (claim.metadata?.annotations?.[storageClassAnnotation] !== undefined) return;
      if (claim.spec?.storageClassName !== undefined) return;
      const name = defaultClass.get()?.metadata.name;
      if (name !== undefined) claim.spec = { ...claim.spec, storageClassName: name };
    },
  };
};
