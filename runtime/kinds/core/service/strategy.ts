import type { Service, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import { setOrDelete } from '../../../machinery/json/defined.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { FinishWrite, RESTStrategy, WriteContext } from '../../../resources/rest.ts';
import { validatedBy } from '../../validation/validated-by.ts';
import { ServiceAllocation } from './allocation.ts';
import type { ServiceAllocators } from './allocators.ts';
import { headless } from './ip-families.ts';
import { validateServiceStatusUpdate } from './load-balancer-validation.ts';
import { nodePortsOf } from './node-port-range.ts';
import { mayHaveNodePorts } from './node-ports.ts';
import { serviceProxyLocation } from './proxy-location.ts';
import { isExternallyAccessible, needsHealthCheck, validateServiceCreate, validateServiceUpdate } from './validation.ts';

/** (pkg/registry/core/service: strategy.go, storage/storage.go) */
export const newServiceStrategy = (allocators: ServiceAllocators): RESTStrategy => ({
  returnDeletedObject: true,
  proxyLocation: serviceProxyLocation,
  beginCreate(service: Service, context) {
    // upstream's storage of the status has no allocators, but can create services
    if (context.subresource === 'status') return undefined;
    service.spec ??= {};
    normalizeClusterIPs(service.spec, undefined);
    dropInternalTrafficPolicy(service.spec);
    return new ServiceAllocation(service, allocators, context).create();
  },
  beginUpdate(service: Service, old: Service, context): Promise<FinishWrite> | undefined {
    if (context.part === 'status') return undefined;
    service.spec ??= {};
    const { spec: oldSpec = {} } = old;
    patchAllocatedValues(service.spec, oldSpec);
    normalizeClusterIPs(service.spec, oldSpec);
    dropInternalTrafficPolicy(service.spec);
    return new ServiceAllocation(service, allocators, context).update(old);
  },
  prepareForUpdate(service: Service, old: Service, context) {
    if (context.part === 'status') return;
    dropTypeDependentFields(service.spec ?? {}, old.spec ?? {});
    if (service.spec?.type !== 'LoadBalancer' && service.status) service.status.loadBalancer = {};
  },
  ...validatedBy(validateServiceCreate, validateServiceUpdate, validateServiceStatusUpdate),
  async afterDelete(service: Service, context) {
    await deleteEndpoints(service, context);
    const { namespace = '', name = '' } = service.metadata;
    const { type, clusterIPs = [] } = service.spec ?? {};
    const nodePorts = nodePortsOf(service);
    if (nodePorts.length > 0) await allocators.releaseNodePorts(nodePorts);
    if (type === 'ExternalName' || clusterIPs[0] === headless) return;
    for (const address of clusterIPs) await allocators.releaseClusterIP(address, { namespace, name });
  },
});

/** Deletes the endpoints, so that a new service of this name does not inherit them. */
async function deleteEndpoints({ metadata: { name = '' } }: Service, context: WriteContext): Promise<void> {
  const { stores, namespace } = context;
  if (!stores.serves('', 'v1', 'endpoints')) return;
  const endpoints = await stores.byResource('', 'v1', 'endpoints');
  if (endpoints.collection.latest().get(namespace, name) === undefined) return;
  try {
    await endpoints.delete(endpoints.definition, { namespace, name }, loopbackWriter('kube-apiserver'));
  } catch (error) {
    // the service is deleted anyway
    if (!isStatusError(error)) throw error;
  }
}

const needsClusterIP = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';

const needsNodePort = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

/** Makes `clusterIP` the first of `clusterIPs`. The client may set either. (NormalizeClusterIPs) */
function normalizeClusterIPs(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const isChanged = clusterIP !== (old.clusterIP ?? '');
  if (!isChanged && clusterIPs.length === 0 && old.clusterIPs?.length) spec.clusterIPs = old.clusterIPs;
  if (!isChanged || !equalJson(clusterIPs, old.clusterIPs ?? [])) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Keeps allocated values that the client omits. (patchAllocatedValues) */
function patchAllocatedValues(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(spec) && needsClusterIP(old)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec.clusterIPs = old.clusterIPs;
  }
  if (needsNodePort(spec) && needsNodePort(old)) patchNodePorts(spec, old);
  if (needsHealthCheck(spec) && needsHealthCheck(old))
    setOrDelete(spec, 'healthCheckNodePort', spec.healthCheckNodePort || old.healthCheckNodePort);
}

const specNodePorts = ({ ports = [] }: ServiceSpec): number[] => ports.flatMap(({ nodePort }) => nodePort || []);

function patchNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const oldNodePorts = new Set(specNodePorts(old));
  const inUse = new Set(specNodePorts(spec).filter((nodePort) => oldNodePorts.has(nodePort)));
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const nodePort = byName.get(port.name ?? '') ?? 0;
    if (port.nodePort || nodePort === 0 || inUse.has(nodePort)) continue;
    port.nodePort = nodePort;
    inUse.add(nodePort);
  }
}

/** Drops the policy of an ExternalName service. (defaultOnReadInternalTrafficPolicy) */
function dropInternalTrafficPolicy(spec: ServiceSpec): void {
  if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
}

/** Drops unchanged fields that the old type has and the new type does not. (dropTypeDependentFields) */
function dropTypeDependentFields(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(old) && !needsClusterIP(spec)) {
    if (spec.clusterIP === old.clusterIP && equalJson(spec.clusterIPs, old.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    for (const name of ['ipFamilies', 'ipFamilyPolicy'] as const) {
      if (equalJson(spec[name], old[name])) delete spec[name];
    }
  }
  const oldNodePorts = specNodePorts(old);
  const hasNoNewNodePorts = specNodePorts(spec).every((nodePort) => oldNodePorts.includes(nodePort));
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec) && hasNoNewNodePorts) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && spec.healthCheckNodePort === old.healthCheckNodePort) {
    delete spec.healthCheckNodePort;
  }
  const drop = (name: keyof ServiceSpec, isUsedBy: (spec: ServiceSpec) => boolean): void => {
    if (isUsedBy(old) && !isUsedBy(spec) && equalJson(spec[name], old[name])) delete spec[name];
  };
  const isLoadBalancer = ({ type }: ServiceSpec): boolean => type === 'LoadBalancer';
  drop('allocateLoadBalancerNodePorts', isLoadBalancer);
  drop('loadBalancerClass', isLoadBalancer);
  drop('externalTrafficPolicy', isExternallyAccessible);
}
