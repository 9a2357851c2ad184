import type { Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { amountsOf } from '../../../machinery/scalars/resource-amounts.ts';
import { noAffinity, type PodAffinityTerms } from './affinity-term.ts';
import { HostPortInfo } from './host-ports.ts';
import type { PodInfo } from './pod-info.ts';
import { addResource, cloneResource, emptyResource, newResource, type Resource } from './resource.ts';

type Labels = Readonly<Record<string, string>>;
const noLabels: Labels = {};

/** A node with sums over its pods, updated with each pod that comes or goes. (scheduler/framework NodeInfo) */
export class NodeInfo {
  readonly name: string;
  #node: Node | undefined;
  /** By uid. */
  readonly pods = new Map<string, PodInfo>();
  /** The number of pods by affinity. Pods without affinity are left out. */
  readonly affinities = new Map<PodAffinityTerms, number>();
  /** The number of pods that use a claim, by `namespace/name`. (PVCRefCounts) */
  readonly claims = new Map<string, number>();
  requested = emptyResource();
  nonZeroMilliCPU = 0;
  nonZeroMemory = 0;
  allocatable: Resource = emptyResource();
  usedPorts = new HostPortInfo();

  constructor(name: string) {
    this.name = name;
  }

  /** Undefined while the cluster does not have the node. */
  get node(): Node | undefined {
    return this.#node;
  }

  get labels(): Labels {
    return this.#node?.metadata.labels ?? noLabels;
  }

  setNode(node: Node | undefined): void {
    this.#node = node;
    this.allocatable = newResource(amountsOf(node?.status?.allocatable));
  }

  /** Replaces the node after a change that left its resources the same. */
  updateNode(node: Node): void {
    this.#node = node;
  }

  addPod(pod: PodInfo): void {
    this.pods.set(pod.uid, pod);
    this.#count(pod, 1);
    for (const port of pod.hostPorts) this.usedPorts.add(port);
  }

  removePod(uid: string): void {
    const pod = this.pods.get(uid);
    if (pod === undefined) return;
    this.pods.delete(uid);
    this.#count(pod, -1);
    for (const port of pod.hostPorts) this.usedPorts.remove(port);
  }

  /** Returns an independent copy. (Snapshot) */
  clone(): NodeInfo {
    const copy = new NodeInfo(this.name);
    copy.#node = this.#node;
    for (const [uid, pod] of this.pods) copy.pods.set(uid, pod);
    for (const [affinity, count] of this.affinities) copy.affinities.set(affinity, count);
    for (const [claim, count] of this.claims) copy.claims.set(claim, count);
    copy.requested = cloneResource(this.requested);
    copy.nonZeroMilliCPU = this.nonZeroMilliCPU;
    copy.nonZeroMemory = this.nonZeroMemory;
    copy.allocatable = this.allocatable;
    copy.usedPorts = this.usedPorts.clone();
    return copy;
  }

  #count(pod: PodInfo, sign: 1 | -1): void {
    addResource(this.requested, pod.requests, sign);
    this.nonZeroMilliCPU += sign * pod.nonZeroMilliCPU;
    this.nonZeroMemory += sign * pod.nonZeroMemory;
    if (pod.affinity !== noAffinity) change(this.affinities, pod.affinity, sign);
    for (const claim of pod.claims) change(this.claims, claim, sign);
  }
}

function change<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
