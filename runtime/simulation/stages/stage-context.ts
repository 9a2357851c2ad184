import type { KubeObject } from '../../machinery/object.ts';
import type { Random } from '../../machinery/random.ts';
import { nodeConditions } from '../nodes/node-status.ts';
import type { SimulatedNodes } from '../nodes/simulated-nodes.ts';
import { randomFunctions, type TemplateFunctions, templateFunctions } from './template/functions.ts';

/** KWOK's version in templates. */
const version = 'v0.7.0';
const kubeletPort = 10250;

export interface StageContext {
  readonly nodes: SimulatedNodes;
  readonly random: Random;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The start of the simulation, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Returns the template functions that use the object and its node. (pkg/kwok/controllers) */
export function functionsFor(object: KubeObject, { nodes, random, now, startedAt }: StageContext): TemplateFunctions {
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const { spec } = object as { spec?: { nodeName?: string; hostNetwork?: boolean } };
  const addressOf = (node: unknown): string => nodes.get(String(node ?? ''))?.address ?? '';
  const podIP = (node: unknown, hostNetwork: unknown, podUID: unknown): string => {
    if (hostNetwork === true) return addressOf(node);
    return nodes.get(String(node ?? ''))?.pods?.of(String(podUID || uid)) ?? '';
  };
  const listOf = (address: string): string[] => (address === '' ? [] : [address]);
  const own = (): string => podIP(spec?.nodeName, spec?.hostNetwork === true, uid);
  const node = namespace === '' ? name : spec?.nodeName;
  return {
    ...templateFunctions,
    ...randomFunctions(random, namespace, name),
    Now: () => new Date(now).toISOString(),
    now: () => new Date(now).toISOString(),
    StartTime: () => new Date(startedAt).toISOString(),
    Version: () => version,
    NodeConditions: () => [...conditions],
    NodeName: () => node,
    NodePort: () => kubeletPort,
    NodeIP: () => addressOf(node),
    NodeIPs: () => listOf(addressOf(node)),
    NodeIPWith: addressOf,
    NodeIPsWith: (of) => listOf(addressOf(of)),
    PodIP: own,
    PodIPs: () => listOf(own()),
    PodIPWith: podIP,
    PodIPsWith: (...args) => listOf(podIP(args[0], args[1], args[2])),
  };
}

const conditions = [
  ...nodeConditions,
  {
    type: 'NetworkUnavailable',
    status: 'False',
    reason: 'RouteCreated',
    message: 'RouteController created a route',
  },
];
