import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { authenticatedGroup } from '../../machinery/user-info.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { Writer } from '../../resources/rest.ts';
import type { SimulationContext } from '../context.ts';
import { type AddressPlan, internalAddressOf } from './address-plan.ts';
import { PodAddresses } from './pod-addresses.ts';

export const nodesResource = { group: '', version: 'v1', resource: 'nodes' };

/** Nodes with another value are not simulated here. (KWOK) */
const typeAnnotation = 'kwok.x-k8s.io/node';
/** With the value `lost`, the kubelet of the node stops responding. */
const nodeAnnotation = 'simulation.kubeloom.dev/node';

export function isSimulated({ metadata: { annotations } }: Node): boolean {
  return (annotations?.[typeAnnotation] ?? 'fake') === 'fake';
}

export const isLost = ({ metadata: { annotations } }: Node): boolean => annotations?.[nodeAnnotation] === 'lost';

/** A node whose kubelet is simulated. */
export interface SimulatedNode {
  readonly name: string;
  readonly writer: Writer;
  /** The current address of the node. */
  address: string;
  /** Undefined until the node has a range. */
  pods: PodAddresses | undefined;
  podCIDR: string;
  isLost: boolean;
}

type NodeListener = (name: string, node: SimulatedNode | undefined) => void;

/** The existing simulated nodes, and the addresses in use. */
export class SimulatedNodes {
  readonly plan: AddressPlan;
  readonly #nodes = new Map<string, SimulatedNode>();
  readonly #informer: SharedInformer<Node>;
  readonly #podsOf: (name: string) => Iterable<Pod>;
  readonly #listeners: NodeListener[] = [];
  #stop: (() => void) | undefined;

  private constructor(informer: SharedInformer<Node>, podsOf: (name: string) => Iterable<Pod>, plan: AddressPlan) {
    this.#informer = informer;
    this.#podsOf = podsOf;
    this.plan = plan;
  }

  static async open(
    { informers }: Pick<SimulationContext, 'informers'>,
    podsOf: (name: string) => Iterable<Pod>,
    plan: AddressPlan,
  ): Promise<SimulatedNodes> {
    return new SimulatedNodes(await informers.of<Node>(nodesResource), podsOf, plan);
  }

  get(name: string): SimulatedNode | undefined {
    return this.#nodes.get(name);
  }

  names(): Iterable<string> {
    return this.#nodes.keys();
  }

  /** Starts to follow nodes. Listeners get the existing nodes, and then each change. */
  start(): void {
    const set = (node: Node): void => this.#notify(node.metadata.name ?? '', this.#set(node));
    this.#stop = this.#informer.addEventHandler({
      onAdd: set,
      onUpdate: (_, node) => set(node),
      onDelete: ({ metadata: { name = '' } }) => {
        this.#nodes.delete(name);
        this.plan.release(name);
        this.#notify(name, undefined);
      },
    });
  }

  close(): void {
    this.#stop?.();
  }

  /** @param listener gets each new or changed node, or undefined for a deleted one. Called before `start`. */
  onChange(listener: NodeListener): void {
    this.#listeners.push(listener);
  }

  #notify(name: string, node: SimulatedNode | undefined): void {
    for (const listener of this.#listeners) listener(name, node);
  }

  /** Returns the stored node. */
  stored(name: string): Node | undefined {
    return this.#informer.get('', name);
  }

  #set(stored: Node): SimulatedNode | undefined {
    const { name = '' } = stored.metadata;
    this.plan.take(stored);
    if (!isSimulated(stored)) {
      this.#nodes.delete(name);
      return undefined;
    }
    let node = this.#nodes.get(name);
    if (node === undefined) {
      node = { name, writer: kubeletWriter(name), address: '', pods: undefined, podCIDR: '', isLost: false };
      this.#nodes.set(name, node);
    }
    node.address = internalAddressOf(stored.status) ?? this.plan.of(name)?.address ?? '';
    node.isLost = isLost(stored);
    this.#setRange(node, stored.spec?.podCIDR ?? '');
    return node;
  }

  #setRange(node: SimulatedNode, podCIDR: string): void {
    if (podCIDR === node.podCIDR) return;
    node.podCIDR = podCIDR;
    node.pods = podCIDR === '' ? undefined : new PodAddresses(podCIDR);
    for (const { metadata, status, spec } of this.#podsOf(node.name)) {
      const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
      if (status?.podIP && !spec?.hostNetwork && !isOver) node.pods?.take(metadata.uid ?? '', status.podIP);
    }
  }
}

/** The writer for a kubelet's writes that need no admission. */
export const kubeletsWriter: Writer = { ...loopbackWriter('kubelet'), onlyAsLeader: true };

/** Returns the writer in the name of a node's kubelet. */
export const kubeletWriter = (node: string): Writer => ({
  user: { name: `system:node:${node}`, uid: '', groups: ['system:nodes', authenticatedGroup], extra: {} },
  dryRun: false,
  internal: true,
  isAdmitted: true,
  onlyAsLeader: true,
  fieldManager: 'kubelet',
  warn: () => undefined,
});
