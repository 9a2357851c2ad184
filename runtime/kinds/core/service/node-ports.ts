import type { Service, ServicePort, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { internalError, plainError } from '../../../machinery/errors/status.ts';
import { isAllocationFailure } from './allocators.ts';
import { validate } from './ip-families.ts';
import type { NodePortOperation } from './node-port-operation.ts';
import { needsHealthCheck } from './validation.ts';

/** The node ports of services. (pkg/registry/core/service/storage/alloc.go) */

export const mayHaveNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** (shouldAllocateNodePorts) */
const shouldAllocate = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

/**
 * Allocates node ports. Ports with the same number and different protocols share one. (initNodePorts)
 *
 * @throws StatusError 422 for requested ports that cannot be allocated, 500 if the range is full
 */
export async function allocateNodePorts(service: Service, operation: NodePortOperation): Promise<void> {
  const { spec = {} } = service;
  const { ports = [] } = spec;
  const nodePorts = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !shouldAllocate(spec)) continue;
    const shared = nodePorts.get(port.port);
    if (shared !== undefined) {
      if (!port.nodePort) port.nodePort = shared;
      else if (port.nodePort !== shared) await allocateRequested(service, index, port.nodePort, operation);
      continue;
    }
    const requested = ports.find((one) => one.port === port.port && one.nodePort)?.nodePort;
    if (requested) await allocateRequested(service, index, requested, operation);
    port.nodePort = requested || (await allocateNext(operation));
    nodePorts.set(port.port, port.nodePort);
  }
}

/**
 * Allocates the ports that the old service does not have. (updateNodePorts)
 *
 * @throws StatusError as allocateNodePorts
 */
export async function updateNodePorts(service: Service, old: Service, operation: NodePortOperation): Promise<void> {
  const { spec = {} } = service;
  const known = new Set((old.spec?.ports ?? []).map(({ nodePort }) => nodePort));
  const seen = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !shouldAllocate(spec)) continue;
    if (!port.nodePort) port.nodePort = await allocateNext(operation);
    else if (!known.has(port.nodePort)) await allocateRequested(service, index, port.nodePort, operation);
    known.add(port.nodePort);
    const key = protocolAndPort(port);
    if (seen.has(key)) throw plainError(`duplicate nodePort: {${key}}`);
    seen.add(key);
  }
}

const protocolAndPort = ({ protocol = '', nodePort }: ServicePort): string => `${protocol} ${nodePort}`;

/** (allocHealthCheckNodePort, updateHealthCheckNodePort) */
export async function allocateHealthCheckNodePort(
  { spec = {} }: Service,
  old: Service | undefined,
  operation: NodePortOperation,
): Promise<void> {
  if (!needsHealthCheck(spec) || (old?.spec && needsHealthCheck(old.spec))) return;
  const requested = spec.healthCheckNodePort ?? 0;
  const result = await (requested ? operation.allocate(requested) : operation.allocateNext());
  if (!isAllocationFailure(result)) spec.healthCheckNodePort = result;
  else if (requested) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${requested}: ${result.failure}`);
  } else throw internalError(`failed to allocate a HealthCheck NodePort 0: ${result.failure}`);
}

async function allocateRequested(service: Service, index: number, nodePort: number, operation: NodePortOperation): Promise<void> {
  const result = await operation.allocate(nodePort);
  if (!isAllocationFailure(result)) return;
  validate(service, (field) => field.child('ports').index(index).child('nodePort').invalid(nodePort, result.failure));
}

async function allocateNext(operation: NodePortOperation): Promise<number> {
  const result = await operation.allocateNext();
  if (isAllocationFailure(result)) throw internalError(`failed to allocate a nodePort: ${result.failure}`);
  return result;
}
