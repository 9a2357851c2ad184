import type { ConfigMap, Node, PersistentVolume, PersistentVolumeClaim, Secret, Service } from '../../generated/v1.35/core/v1/types.ts';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import type { KubeObject } from '../machinery/object.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';

/** The current objects that a kubelet reads for its pods. They must not be changed. */
export interface ClusterObjects {
  configMap(namespace: string, name: string): ConfigMap | undefined;
  secret(namespace: string, name: string): Secret | undefined;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  node(name: string): Node | undefined;
  services(namespace: string): Iterable<Service>;
  service(namespace: string, name: string): Service | undefined;
}

/** Opens the objects. They are read on demand: most pods only need the certificates of their namespace. */
export async function openClusterObjects(stores: ResourceStores): Promise<ClusterObjects> {
  const configMaps = await openReader<ConfigMap>(stores, 'configmaps');
  const secrets = await openReader<Secret>(stores, 'secrets');
  const claims = await openReader<PersistentVolumeClaim>(stores, 'persistentvolumeclaims');
  const volumes = await openReader<PersistentVolume>(stores, 'persistentvolumes');
  const nodes = await openReader<Node>(stores, 'nodes');
  const services = await openReader<Service>(stores, 'services');
  return {
    configMap: (namespace, name) => configMaps.get(namespace, name),
    secret: (namespace, name) => secrets.get(namespace, name),
    claim: (namespace, name) => claims.get(namespace, name),
    volume: (name) => volumes.get('', name),
    node: (name) => nodes.get('', name),
    services: (namespace) => services.list(namespace),
    service: (namespace, name) => services.get(namespace, name),
  };
}

interface Reader<T> {
  get(namespace: string, name: string): T | undefined;
  list(namespace: string): Iterable<T>;
}

/** Caches each config map and secret after its first read, for work on one pod. */
export function remembering(objects: ClusterObjects): ClusterObjects {
  return {
    ...objects,
    configMap: once((namespace, name) => objects.configMap(namespace, name)),
    secret: once((namespace, name) => objects.secret(namespace, name)),
  };
}

function once<T>(get: (namespace: string, name: string) => T): (namespace: string, name: string) => T {
  const known = new Map<string, T>();
  return (namespace, name) => {
    const key = `${namespace}/${name}`;
    if (!known.has(key)) known.set(key, get(namespace, name));
    return known.get(key) as T;
  };
}

/** The most small objects of a resource that stay decoded: pods that start together read the same ones. */
const maxDecoded = 512;
/** Bytes. */
const maxSmall = 16 * 1024;

async function openReader<T extends KubeObject>(stores: ResourceStores, resource: string): Promise<Reader<T>> {
  if (!stores.serves('', 'v1', resource)) return { get: () => undefined, list: () => [] };
  const client = await LoopbackClient.open<T>(stores, { group: '', version: 'v1', resource }, loopbackWriter());
  const decoded = new BoundedMap<string, { readonly revision: number; readonly object: T }>(maxDecoded);
  const decode = (stored: StoredObject): T => {
    const key = `${stored.namespace}/${stored.name}`;
    const known = decoded.get(key);
    if (known?.revision === stored.revision) return known.object;
    const object = client.decode(stored);
    if (stored.jsonLength <= maxSmall) decoded.set(key, { revision: stored.revision, object });
    return object;
  };
  return {
    get(namespace, name) {
      const stored = client.collection.latest().get(namespace, name);
      return stored && decode(stored);
    },
    *list(namespace) {
      for (const stored of client.collection.latest().scan({ namespace })) yield decode(stored);
    },
  };
}
