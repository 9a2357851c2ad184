import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { badRequest, serviceUnavailable } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { splitSchemeNamePort } from '../../machinery/scheme-name-port.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { type NodeBackend, type NodeRequest, unreachableNodes } from '../../streaming/node-backend.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { internalAddressOf } from '../nodes/address-plan.ts';
import { isLost, isSimulated } from '../nodes/simulated-nodes.ts';
import type { ContainerLogs } from './container-log.ts';
import { serveKubelet } from './kubelet-server.ts';

const kubeletPort = 10250;

interface SimulatedNodeProxyOptions {
  readonly stores: ResourceStores;
  readonly logs: ContainerLogs;
  objects(): Promise<ClusterObjects>;
  /** Connects to nodes that are not simulated. */
  readonly others: NodeBackend | undefined;
}

/** Serves proxies of simulated nodes. Only their kubelets respond; other ports are closed. */
export class SimulatedNodeProxy implements NodeBackend {
  readonly #options: SimulatedNodeProxyOptions;

  constructor(options: SimulatedNodeProxyOptions) {
    this.#options = options;
  }

  async connect(request: NodeRequest): Promise<void> {
    const { stores, logs, others } = this.#options;
    const node = request.object as Node;
    if (request.subresource !== 'proxy' || !isSimulated(node)) {
      return (others ?? unreachableNodes).connect(request);
    }
    requireKubelet(request, node);
    const objects = await this.#options.objects();
    const { ctx } = request;
    const pods = await podsReader(stores);
    const view = () => ({ node, pods: pods(request.node), objects, now: stores.clock.now() });
    await serveKubelet({ ctx, path: request.path || '/', query: ctx.state.query, view }, logs);
  }
}

/** @throws StatusError unless the request is for the kubelet, and the kubelet responds */
function requireKubelet({ name }: NodeRequest, node: Node): void {
  const { port } = splitSchemeNamePort(name) ?? {};
  if (port === undefined || !/^\d*$/.test(port)) throw badRequest(`invalid node request ${quote(name)}`);
  const own = node.status?.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort;
  const wanted = port === '' ? own : Number(port);
  const failed = (why: string): Error =>
    serviceUnavailable(`error trying to reach service: dial tcp ${internalAddressOf(node.status) ?? ''}:${wanted}: connect: ${why}`);
  if (isLost(node)) throw failed('no route to host');
  if (wanted !== own) throw failed('connection refused');
}

/** Lists a node's pods by selectable fields, and decodes only these. */
async function podsReader(stores: ResourceStores): Promise<(node: string) => Pod[]> {
  const { collection, definition } = await stores.byResource('', 'v1', 'pods');
  return (node) => {
    const pods: Pod[] = [];
    for (const stored of collection.latest().scan()) {
      if (stored.fields['spec.nodeName'] !== node) continue;
      pods.push(definition.conversion.fromStorage(stored.decode()) as Pod);
    }
    return pods;
  };
}
