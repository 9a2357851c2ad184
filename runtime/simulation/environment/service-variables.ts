import type { Service } from '../../../generated/v1.35/core/v1/types.ts';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import type { ClusterObjects } from '../cluster-objects.ts';

/** The service of the API server. All containers get its variables. */
const masterService = 'kubernetes';

/**
 * Returns the variables with the addresses of services, for the pods of a namespace. (getServiceEnvVarMap;
 * pkg/kubelet/envvars)
 */
export function serviceVariables(objects: ClusterObjects, namespace: string, enableServiceLinks: boolean): Map<string, string> {
  const services = new Map<string, Service>();
  const master = objects.service('default', masterService);
  if (master !== undefined) services.set(masterService, master);
  if (enableServiceLinks) {
    for (const service of objects.services(namespace)) services.set(service.metadata.name ?? '', service);
  }
  const variables = new Map<string, string>();
  for (const service of services.values()) addVariables(service, variables);
  return variables;
}

function addVariables({ metadata, spec }: Service, variables: Map<string, string>): void {
  const { clusterIP, ports = [] } = spec ?? {};
  const [first] = ports;
  if (!clusterIP || clusterIP === 'None' || first === undefined) return;
  const name = variableName(metadata.name ?? '');
  variables.set(`${name}_SERVICE_HOST`, clusterIP);
  variables.set(`${name}_SERVICE_PORT`, String(first.port));
  for (const { name: port, port: number } of ports) {
    if (port) variables.set(`${name}_SERVICE_PORT_${variableName(port)}`, String(number));
  }
  for (const [index, { port, protocol = 'TCP' }] of ports.entries()) {
    const scheme = protocol.toLowerCase();
    const url = `${scheme}://${joinHostPort(clusterIP, port)}`;
    if (index === 0) variables.set(`${name}_PORT`, url);
    const prefix = `${name}_PORT_${port}_${protocol.toUpperCase()}`;
    variables.set(prefix, url);
    variables.set(`${prefix}_PROTO`, scheme);
    variables.set(`${prefix}_PORT`, String(port));
    variables.set(`${prefix}_ADDR`, clusterIP);
  }
}

const variableName = (text: string): string => text.replaceAll('-', '_').toUpperCase();
