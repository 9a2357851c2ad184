import type { PodCertificateRequest } from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import type { PersistentVolume, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ResourceSlice } from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { VolumeAttachment } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { startInformers } from '../../resources/informer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Graph } from './graph.ts';

/**
 * Keeps the graph up to date with the store. Resources that are not served are left out. (kubernetes
 * plugin/pkg/auth/authorizer/node/graph_populator.go AddGraphEventHandlers)
 *
 * @returns a function that ends that
 */
export function followNodes(stores: ResourceStores, graph: Graph): Promise<() => void> {
  return startInformers(stores, [
    {
      resource: { group: '', version: 'v1', resource: 'pods' },
      onSet: (pod: Pod & KubeObject) => graph.setPod(pod),
      onDelete: (namespace, name) => graph.deletePod(namespace, name),
    },
    {
      resource: { group: '', version: 'v1', resource: 'persistentvolumes' },
      onSet: (volume: PersistentVolume & KubeObject) => graph.setPersistentVolume(volume),
      onDelete: (_, name) => graph.deletePersistentVolume(name),
    },
    {
      resource: { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' },
      onSet: ({ metadata: { name = '' }, spec }: VolumeAttachment & KubeObject) =>
        graph.setNode({ resource: 'volumeattachments', namespace: '', name }, spec.nodeName),
      onDelete: (namespace, name) => graph.setNode({ resource: 'volumeattachments', namespace, name }, undefined),
    },
    {
      resource: { group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' },
      onSet: ({ metadata: { name = '' }, spec }: ResourceSlice & KubeObject) =>
        graph.setNode({ resource: 'resourceslices', namespace: '', name }, spec.nodeName),
      onDelete: (namespace, name) => graph.setNode({ resource: 'resourceslices', namespace, name }, undefined),
    },
    {
      resource: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' },
      onSet: ({ metadata: { namespace = '', name = '' }, spec }: PodCertificateRequest & KubeObject) =>
        graph.setNode({ resource: 'podcertificaterequests', namespace, name }, spec.nodeName),
      onDelete: (namespace, name) => graph.setNode({ resource: 'podcertificaterequests', namespace, name }, undefined),
    },
  ]);
}
