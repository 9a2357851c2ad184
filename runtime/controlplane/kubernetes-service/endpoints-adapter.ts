import type { Endpoints } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ResourceStores } from '../../resources/stores.ts';

const serviceNameLabel = 'kubernetes.io/service-name';
const namespace = 'default';

/** Writes Endpoints, and an EndpointSlice beside them. (pkg/controlplane/reconcilers/endpointsadapter.go) */
export class EndpointsAdapter {
  readonly #endpoints: LoopbackClient<Endpoints>;
  readonly #slices: LoopbackClient<EndpointSlice> | undefined;

  private constructor(endpoints: LoopbackClient<Endpoints>, slices: LoopbackClient<EndpointSlice> | undefined) {
    this.#endpoints = endpoints;
    this.#slices = slices;
  }

  static async open(stores: ResourceStores): Promise<EndpointsAdapter> {
    const writer = loopbackWriter('kube-apiserver');
    const core = { group: '', version: 'v1', resource: 'endpoints' };
    const discovery = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
    const [endpoints, slices] = await Promise.all([
      LoopbackClient.open<Endpoints>(stores, core, writer),
      stores.serves(discovery.group, discovery.version, discovery.resource)
        ? LoopbackClient.open<EndpointSlice>(stores, discovery, writer)
        : undefined,
    ]);
    return new EndpointsAdapter(endpoints, slices);
  }

  get(name: string): Endpoints | undefined {
    return this.#endpoints.get(namespace, name);
  }

  /** Creates the endpoints, or replaces those of the same resourceVersion. @throws StatusError 404, 409, 422 */
  async write(endpoints: Endpoints): Promise<void> {
    const { resourceVersion } = endpoints.metadata;
    if (resourceVersion === undefined) await this.#endpoints.createIfAbsent(endpoints);
    else await this.#endpoints.update(endpoints);
    await this.ensureEndpointSlice(endpoints);
  }

  /** Sets the slice to the content of the endpoints. (EnsureEndpointSliceFromEndpoints) */
  async ensureEndpointSlice(endpoints: Endpoints): Promise<void> {
    const slices = this.#slices;
    if (slices === undefined) return;
    const slice = endpointSliceFromEndpoints(endpoints);
    const { name = '' } = slice.metadata;
    const current = slices.get(namespace, name);
    if (current === undefined) await slices.createIfAbsent(slice);
    else if (current.addressType !== slice.addressType) {
      await slices.delete(namespace, name);
      await slices.create(slice);
    } else if (!hasSameContent(current, slice)) await slices.update(slice);
  }
}

const hasSameContent = (a: EndpointSlice, b: EndpointSlice): boolean =>
  semanticDeepEqual([a.endpoints ?? [], a.ports ?? [], a.metadata.labels], [b.endpoints ?? [], b.ports ?? [], b.metadata.labels]);

function endpointSliceFromEndpoints({ metadata: { name = '' }, subsets = [] }: Endpoints): EndpointSlice {
  const [{ addresses = [], ports = [] } = {}] = subsets;
  const isIPv6 = addresses.length > 0 && addresses.every(({ ip }) => ip.includes(':'));
  return {
    metadata: { name, namespace, labels: { [serviceNameLabel]: name } },
    addressType: isIPv6 ? 'IPv6' : 'IPv4',
    endpoints: addresses
      .filter(({ ip }) => ip.includes(':') === isIPv6)
      .map(({ ip }) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: ports.map(({ name: port = '', protocol, port: number }) => defined({ name: port, protocol, port: number })),
  };
}
