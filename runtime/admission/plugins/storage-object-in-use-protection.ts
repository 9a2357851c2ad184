import type { PluginFactory } from '../plugin.ts';

const finalizers: Readonly<Record<string, string | undefined>> = {
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

/**
 * Adds a finalizer to volumes, claims and attributes classes. A controller removes it when they are unused.
 * (plugin/pkg/admission/storage/storageobjectinuseprotection)
 */
export const newStorageObjectInUseProtection: PluginFactory = () => ({
  handles: (operation, { group, resource }, subresource) =>
    operation === 'CREATE' && finalizers[`${group}/${resource}`] !== undefined && subresource === '',
  admit({ definition: { group, resource }, object }) {
    const finalizer = finalizers[`${group}/${resource}`];
    if (object === undefined || finalizer === undefined) return;
    const { metadata } = object;
    if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
});
