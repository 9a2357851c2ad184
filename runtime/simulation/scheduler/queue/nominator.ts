import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { PodInfo } from '../framework/pod-info.ts';

const none: ReadonlyMap<string, PodInfo> = new Map();

/** Pods that wait for room on a node, which preemption makes. (pkg/scheduler/backend/queue/nominator.go) */
export class Nominator {
  readonly #nodes = new Map<string, Map<string, PodInfo>>();
  readonly #nodeOf = new Map<string, string>();

  /** Returns pods by uid. */
  podsOf(node: string): ReadonlyMap<string, PodInfo> {
    return this.#nodes.get(node) ?? none;
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodeOf.get(uid);
  }

  /** @param node "" or absent for none */
  nominate(info: PodInfo, node: string | undefined = nominatedNodeName(info.pod)): void {
    this.delete(info.uid);
    if (!node) return;
    this.#nodeOf.set(info.uid, node);
    const pods = this.#nodes.get(node);
    if (pods === undefined) this.#nodes.set(node, new Map([[info.uid, info]]));
    else pods.set(info.uid, info);
  }

  delete(uid: string): void {
    const node = this.#nodeOf.get(uid);
    if (node === undefined) return;
    this.#nodeOf.delete(uid);
    const pods = this.#nodes.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#nodes.delete(node);
  }
}

export const nominatedNodeName = ({ status }: Pod): string => status?.nominatedNodeName ?? '';
