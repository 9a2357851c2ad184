import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectReference } from './object-reference.ts';
import { type PersistentVolumeReferences, persistentVolumeReferences } from './persistent-volume-references.ts';
import { podReferences } from './pod-references.ts';

interface BoundPod {
  readonly node: string;
  /** Keys of the objects that the pod refers to, its own included. */
  readonly keys: readonly string[];
}

/**
 * Which objects each node needs: those of its pods, the volumes of their claims with the secrets of these volumes, and the
 * attachments and resource slices that name it. It is changed object by object, and a question costs a few look-ups, however
 * many pods share an object. (kubernetes plugin/pkg/auth/authorizer/node/graph.go)
 */
export class Graph {
  readonly #pods = new Map<string, BoundPod>();
  /** How many pods of each node refer to an object, by its key. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, PersistentVolumeReferences>();
  /** The names of the claimed volumes whose secrets include one, by the secret's key. */
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  /** The nodes of volume attachments and resource slices, by key. */
  readonly #nodeOf = new Map<string, string>();

  /** Adds or changes a pod. A pod without a node is related to none. */
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

  /** Sets the node of a volume attachment or a resource slice; undefined if it has none, or is gone. */
  setNode(resource: 'volumeattachments' | 'resourceslices', name: string, node: string | undefined): void {
    const key = keyOf({ resource, namespace: '', name });
    if (node) this.#nodeOf.set(key, node);
    else this.#nodeOf.delete(key);
  }

  /** Whether a node needs an object. */
  relates(node: string, object: ObjectReference): boolean {
    const key = keyOf(object);
    if (this.#nodes.get(key)?.has(node)) return true;
    switch (object.resource) {
      case 'volumeattachments':
      case 'resourceslices':
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

/** No part can contain a slash. */
function keyOf({ resource, namespace, name }: ObjectReference): string {
  return `${resource}/${namespace}/${name}`;
}
