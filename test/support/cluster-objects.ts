import type { ClusterObjects } from '../../runtime/simulation/cluster-objects.ts';
import type { TestObject } from './test-object.ts';

/** Returns the given objects for a simulated kubelet's look-ups. */
export function clusterObjects(...given: readonly TestObject[]): ClusterObjects {
  const all = (kind: string, namespace?: string) =>
    given.filter((one) => one.kind === kind && (namespace ?? one.metadata.namespace) === one.metadata.namespace);
  const find = (kind: string, namespace: string | undefined, name: string) =>
    all(kind, namespace).find(({ metadata }) => metadata.name === name) as never;
  return {
    configMap: (namespace, name) => find('ConfigMap', namespace, name),
    secret: (namespace, name) => find('Secret', namespace, name),
    claim: (namespace, name) => find('PersistentVolumeClaim', namespace, name),
    volume: (name) => find('PersistentVolume', undefined, name),
    node: (name) => find('Node', undefined, name),
    service: (namespace, name) => find('Service', namespace, name),
    services: (namespace) => all('Service', namespace) as never[],
  };
}
