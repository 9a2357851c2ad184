import type { PersistentVolume, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { startInformers } from '../../resources/informer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Graph, NamingResource } from './graph.ts';

/** An object whose spec names a node. */
interface NamingObject extends KubeObject {
  readonly spec: { readonly nodeName?: string };
}

/**
 * Keeps the graph up to date with the store. Resources that are not served are left out. (kubernetes
 * plugin/pkg/auth/authorizer/node/graph_populator.go AddGraphEventHandlers)
 *
 * @returns a function that ends that
 */
export function followNodes(stores: ResourceStores, graph: Graph): Promise<() => void> {
  /** Follows objects whose spec names a node. */
  const naming = (resource: GroupVersionResource & { readonly resource: NamingResource }) => {
    const setNode = (namespace: string, name: string, node: string | undefined): void =>
      graph.setNode({ resource: resource.resource, namespace, name }, node);
    return {
      resource,
      onSet: ({ metadata: { namespace = '', name = '' }, spec }: NamingObject) => setNode(namespace, name, spec.nodeName),
      onDelete: (namespace: string, name: string) => setNode(namespace, name, undefined),
    };
  };
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
    naming({ group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' }),
    naming({ group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' }),
    naming({ group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' }),
  ]);
}
