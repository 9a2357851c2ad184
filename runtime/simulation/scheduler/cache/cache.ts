import type { Node, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { semanticDeepEqual } from '../../../machinery/json/equality.ts';
import { NodeInfo } from '../framework/node-info.ts';
import type { Nodes } from '../framework/plugin.ts';
import { PodGroups } from '../framework/pod-groups.ts';
import { newPodInfo, type PodInfo, withPod } from '../framework/pod-info.ts';
import { NodeTree } from './node-tree.ts';

interface CachedPod {
  info: PodInfo;
  readonly node: string;
  /** Whether the pod is about to be bound. Its resources count as used. */
  isAssumed: boolean;
}

/**
 * Nodes and their pods, including pods that are about to be bound. There are no snapshots, because nothing changes
 * during a scheduling cycle. (pkg/scheduler/backend/cache)
 */
export class SchedulerCache implements Nodes {
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #tree = new NodeTree();
  /** By uid. */
  readonly #pods = new Map<string, CachedPod>();
  readonly #withAffinity = new Set<NodeInfo>();
  readonly #withRequiredAntiAffinity = new Set<NodeInfo>();
  readonly #claims = new Map<string, number>();
  readonly podGroups = new PodGroups();

  list(): readonly NodeInfo[] {
    return this.#tree.list();
  }

  get(name: string): NodeInfo | undefined {
    const info = this.#nodes.get(name);
    return info?.node && info;
  }

  withAffinity(): Iterable<NodeInfo> {
    return this.#withAffinity;
  }

  withRequiredAntiAffinity(): Iterable<NodeInfo> {
    return this.#withRequiredAntiAffinity;
  }

  podsUsingClaim(key: string): number {
    return this.#claims.get(key) ?? 0;
  }

  /** Adds or updates a node. */
  setNode(node: Node): void {
    const info = this.#infoOf(node.metadata.name ?? '');
    const isSame = info.node && semanticDeepEqual(info.node.status?.allocatable, node.status?.allocatable);
    if (isSame) info.updateNode(node);
    else info.setNode(node);
    this.#tree.set(node, info);
    this.#index(info);
  }

  /** Removes a node. Its pods stay until they are deleted. */
  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    info.setNode(undefined);
    this.#tree.remove(name);
    this.#index(info);
    this.#dropIfUnused(info);
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.isAssumed === true;
  }

  /** Adds a pod that is about to be bound. */
  assumePod(info: PodInfo, node: string): void {
    this.#add(info, node, true);
  }

  /** Removes a pod that could not be bound, or was deleted before. */
  forgetPod(uid: string): void {
    if (this.isAssumed(uid)) this.#remove(uid);
  }

  /** Adds or updates a pod that is assigned to a node. */
  setPod(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    const node = pod.spec?.nodeName ?? '';
    const cached = this.#pods.get(uid);
    if (cached?.node !== node || mayRequestOthers(cached.info.pod, pod)) {
      this.#remove(uid);
      this.#add(newPodInfo(pod), node, false);
      return;
    }
    cached.isAssumed = false;
    const info = withPod(cached.info, pod);
    if (info.group === cached.info.group) {
      cached.info = info;
      this.#infoOf(node).pods.set(uid, info);
    } else {
      this.#remove(uid);
      this.#add(info, node, false);
    }
  }

  removePod(uid: string): void {
    this.#remove(uid);
  }

  #add(info: PodInfo, node: string, isAssumed: boolean): void {
    const { uid } = info;
    this.#pods.set(uid, { info, node, isAssumed });
    const nodeInfo = this.#infoOf(node);
    nodeInfo.addPod(info);
    this.podGroups.change(info.group, nodeInfo, 1);
    for (const claim of info.claims) this.#claims.set(claim, this.podsUsingClaim(claim) + 1);
    this.#index(nodeInfo);
  }

  #remove(uid: string): void {
    const cached = this.#pods.get(uid);
    if (cached === undefined) return;
    this.#pods.delete(uid);
    const nodeInfo = this.#infoOf(cached.node);
    nodeInfo.removePod(uid);
    this.podGroups.change(cached.info.group, nodeInfo, -1);
    for (const claim of cached.info.claims) {
      const count = this.podsUsingClaim(claim) - 1;
      if (count > 0) this.#claims.set(claim, count);
      else this.#claims.delete(claim);
    }
    this.#index(nodeInfo);
    this.#dropIfUnused(nodeInfo);
  }

  #infoOf(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name);
      this.#nodes.set(name, info);
    }
    return info;
  }

  #index(info: NodeInfo): void {
    setMembership(this.#withAffinity, info, info.node !== undefined && info.affinities.size > 0);
    const hates = info.node !== undefined && [...info.affinities.keys()].some(hasRequiredAntiAffinity);
    setMembership(this.#withRequiredAntiAffinity, info, hates);
  }

  #dropIfUnused(info: NodeInfo): void {
    if (info.node === undefined && info.pods.size === 0) this.#nodes.delete(info.name);
  }
}

const hasRequiredAntiAffinity = ({ requiredAntiAffinity }: { requiredAntiAffinity: readonly unknown[] }): boolean =>
  requiredAntiAffinity.length > 0;

function setMembership<T>(set: Set<T>, member: T, isMember: boolean): void {
  if (isMember) set.add(member);
  else set.delete(member);
}

/** A resize changes the generation first, and the allocated resources in statuses later. */
function mayRequestOthers(before: Pod, after: Pod): boolean {
  if (before.spec?.nodeName && before.metadata.generation !== after.metadata.generation) return true;
  const statuses = [...(after.status?.containerStatuses ?? []), ...(after.status?.initContainerStatuses ?? [])];
  return statuses.some(({ resources, allocatedResources }) => resources ?? allocatedResources);
}
