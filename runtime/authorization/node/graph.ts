import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectReference } from './object-reference.ts';
import { type PersistentVolumeReferences, persistentVolumeReferences } from './persistent-volume-references.ts';
import { podReferences } from './pod-references.ts';

interface BoundPod {
  readonly node: string;
  /** Keys of the objects that the pod refers to, including the pod itself. */
  readonly keys: readonly string[];
}

/** The resources whose objects name a node. */
export type NamingResource = 'volumeattachments' | 'resourceslices' | 'podcertificaterequests';

/**
 * The objects that each node needs: the objects of its pods, the volumes of their claims with the volumes' secrets, and
 * the attachments, resource slices and requests for pod certificates that name the node. It is updated object by object. A query
 * costs a few look-ups, independent of the number of pods. (kubernetes plugin/pkg/auth/authorizer/node/graph.go)
 */
export class Graph {
  readonly #pods = new Map<string, BoundPod>();
  /** For each node, the number of its pods that refer to an object, by the object's key. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, PersistentVolumeReferences>();
  /** The names of claimed volumes by the keys of their secrets. */
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  /** The nodes of volume attachments, resource slices and requests for pod certificates, by key. */
  readonly #nodeOf = new Map<string, string>();

  /** Adds or changes a pod. A pod without a node has no relations. */
  setPod(pod: core.Pod): void {
    const { namespace = '', name = '' } = pod.metadata ?? {};
    this.deletePod(namespace, name);
    const node = pod.spec?.nodeName;
    if (!node) return;
    const own = keyOf({ resource: 'pods', namespace, name });
    const keys = [own, ...podReferences(pod).map(keyOf)];
    this.#pods.set(own, { node, keys });
    for (const key of keys) this.#count(key, node, 1);
  }

  deletePod(namespace: string, name: string): void {
    const own = keyOf({ resource: 'pods', namespace, name });
    const pod = this.#pods.get(own);
    if (pod === undefined) return;
    this.#pods.delete(own);
    for (const key of pod.keys) this.#count(key, pod.node, -1);
  }

  setPersistentVolume(volume: core.PersistentVolume): void {
    const name = volume.metadata?.name ?? '';
    this.deletePersistentVolume(name);
    const references = persistentVolumeReferences(volume);
    if (references === undefined) return;
    this.#volumes.set(name, references);
    for (const secret of references.secrets) {
      const key = keyOf(secret);
      this.#volumesOfSecret.set(key, (this.#volumesOfSecret.get(key) ?? new Set()).add(name));
    }
  }

  deletePersistentVolume(name: string): void {
    const volume = this.#volumes.get(name);
    if (volume === undefined) return;
    this.#volumes.delete(name);
    for (const secret of volume.secrets) {
      const key = keyOf(secret);
      const volumes = this.#volumesOfSecret.get(key);
      volumes?.delete(name);
      if (volumes?.size === 0) this.#volumesOfSecret.delete(key);
    }
  }

  /** Sets the node that an object names; undefined if it names none, or was deleted. */
  setNode(object: ObjectReference & { readonly resource: NamingResource }, node: string | undefined): void {
    const key = keyOf(object);
    if (node) this.#nodeOf.set(key, node);
    else this.#nodeOf.delete(key);
  }

  /** Reports whether a node needs an object. */
  relates(node: string, object: ObjectReference): boolean {
    const key = keyOf(object);
    if (this.#nodes.get(key)?.has(node)) return true;
    switch (object.resource) {
      case 'volumeattachments':
      case 'resourceslices':
      case 'podcertificaterequests':
        return this.#nodeOf.get(key) === node;
      case 'persistentvolumes':
        return this.#relatesVolume(node, object.name);
      case 'secrets':
        for (const volume of this.#volumesOfSecret.get(key) ?? []) if (this.#relatesVolume(node, volume)) return true;
        return false;
      default:
        return false;
    }
  }

  #relatesVolume(node: string, name: string): boolean {
    const claim = this.#volumes.get(name)?.claim;
    return claim !== undefined && this.#nodes.get(keyOf(claim))?.has(node) === true;
  }

  #count(key: string, node: string, difference: 1 | -1): void {
    const nodes = this.#nodes.get(key) ?? new Map<string, number>();
    const count = (nodes.get(node) ?? 0) + difference;
    if (count > 0) this.#nodes.set(key, nodes.set(node, count));
    else if (nodes.delete(node) && nodes.size === 0) this.#nodes.delete(key);
  }
}

/** Returns a key whose parts cannot contain its separator, a slash. */
function keyOf({ resource, namespace, name }: ObjectReference): string {
  return `${resource}/${namespace}/${name}`;
}
