import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { badRequest, notFound, serviceUnavailable } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { isGlobalUnicast, parseAddressSloppy } from '../../../machinery/scalars/netip.ts';
import { splitSchemeNamePort } from '../../../machinery/scheme-name-port.ts';
import type { ProxyContext, ProxyLocation } from '../../../resources/rest.ts';
import type { CollectionSnapshot } from '../../../storage/object-store/contract.ts';

/**
 * Returns the address of a pod, and a port: by default the first port of its containers.
 * (pkg/registry/core/pod/strategy.go ResourceLocation)
 *
 * @throws StatusError 400 for an invalid id, and for a pod without an allowed address; 404; 503 for a port above
 *   65535
 */
export async function podProxyLocation(id: string, context: ProxyContext): Promise<ProxyLocation> {
  const target = splitSchemeNamePort(id);
  // a port must be a number
  if (target === undefined || !/^\d*$/.test(target.port)) throw badRequest(`invalid pod request ${quote(id)}`);
  const pod = (await newestPods(context)).get(context.namespace, target.name)?.decode() as Pod | undefined;
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, target.name);
  const host = podIPsOf(pod)[0] ?? '';
  const address = parseAddressSloppy(host);
  if (address === undefined || !isGlobalUnicast(address)) throw badRequest('address not allowed');
  const port = target.port === '' ? firstPort(pod) : Number(target.port);
  if (port !== undefined && port > 65_535) {
    throw serviceUnavailable(`error trying to reach service: dial tcp: address ${target.port}: invalid port`);
  }
  return { scheme: target.scheme || 'http', host, port };
}

export async function newestPods({ stores }: ProxyContext): Promise<CollectionSnapshot> {
  return (await stores.byResource('', 'v1', 'pods')).collection.mostRecent();
}

/** (Convert_v1_PodStatus_To_core_PodStatus) */
export function podIPsOf({ status = {} }: Pod): string[] {
  const all = (status.podIPs ?? []).map(({ ip }) => ip);
  return status.podIP && status.podIP !== all[0] ? [status.podIP] : all;
}

function firstPort({ spec }: Pod): number | undefined {
  return spec?.containers?.find(({ ports }) => ports?.length)?.ports?.[0]?.containerPort;
}
