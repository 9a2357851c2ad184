import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints, Pod, Service } from '../../../../generated/v1.35/core/v1/types.ts';
import { badRequest, notFound, serviceUnavailable } from '../../../machinery/errors/status.ts';
import { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { splitSchemeNamePort } from '../../../machinery/scheme-name-port.ts';
import type { ProxyContext, ProxyLocation } from '../../../resources/rest.ts';
import type { CollectionSnapshot } from '../../../storage/object-store/contract.ts';
import { newestPods, podIPsOf } from '../pod/proxy-location.ts';

/**
 * Returns the address and the port of a random ready endpoint that is a pod.
 * (pkg/registry/core/service/storage/storage.go ResourceLocation)
 *
 * @throws StatusError 400 for an invalid id; 404 with the name of the service if it has no Endpoints; 503 without
 *   such a port, or without endpoints
 */
export async function serviceProxyLocation(id: string, context: ProxyContext): Promise<ProxyLocation> {
  const target = splitSchemeNamePort(id);
  if (target === undefined) throw badRequest(`invalid service request ${quote(id)}`);
  const { name } = target;
  const port = /^[+-]?\d+$/.test(target.port) ? await portName(name, Number(target.port), context) : target.port;
  const { subsets = [] } = (await read('endpoints', name, context)) as Endpoints;
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
  const pods = await newestPods(context);
  const random = (): number => context.stores.random.float('endpoint', context.namespace, name);
  for (const { addresses = [], ports = [] } of fromAnywhere<EndpointSubset>(subsets, random)) {
    const found = ports.find((one: EndpointPort) => (one.name ?? '') === port);
    const address = found && (await firstPod(fromAnywhere(addresses, random), context.namespace, pods));
    if (found && address) return { scheme: target.scheme || 'http', host: address.ip, port: found.port };
  }
  throw serviceUnavailable(`no endpoints available for service ${quote(id)}`);
}

async function portName(name: string, number: number, context: ProxyContext): Promise<string> {
  const { spec } = (await read('services', name, context)) as Service;
  const found = spec?.ports?.find(({ port }) => port === number);
  if (found === undefined) throw serviceUnavailable(`no service port ${number} found for service ${quote(name)}`);
  return found.name ?? '';
}

async function read(resource: string, name: string, { namespace, stores }: ProxyContext): Promise<KubeObject> {
  const { collection } = await stores.byResource('', 'v1', resource);
  const stored = (await collection.mostRecent()).get(namespace, name);
  if (stored === undefined) throw notFound({ group: '', resource: 'services' }, name);
  return stored.decode();
}

/**
 * Returns the first address that belongs to the pod in its targetRef. Authors of endpoints may not be allowed to reach
 * every address. (isValidAddress)
 */
async function firstPod(
  addresses: readonly EndpointAddress[],
  namespace: string,
  pods: CollectionSnapshot,
): Promise<EndpointAddress | undefined> {
  const slice = new TimeSlice();
  for (const address of addresses) {
    const { ip, targetRef } = address;
    if (targetRef?.name === undefined || targetRef.namespace !== namespace) continue;
    const pod = pods.get(namespace, targetRef.name)?.decode() as Pod | undefined;
    if (pod !== undefined && podIPsOf(pod).includes(ip)) return address;
    if (slice.isOver) await slice.next();
  }
  return undefined;
}

/** Returns all values, beginning with a random one. */
function fromAnywhere<T>(values: readonly T[], random: () => number): T[] {
  const start = Math.floor(random() * values.length);
  return [...values.slice(start), ...values.slice(0, start)];
}
