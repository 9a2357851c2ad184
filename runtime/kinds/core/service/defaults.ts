import type { Service, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { setOrDelete } from '../../../machinery/json/defined.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

/** (SetDefaults_Service, pkg/apis/core/v1/defaults.go) */
export function setServiceDefaults(service: Unvalidated<Service>): void {
  service.spec ??= {};
  const { spec } = service;
  setSessionAffinityDefaults(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    if (!port.targetPort) setOrDelete(port, 'targetPort', port.port);
  }
  const { type } = spec;
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && Boolean(spec.externalIPs?.length));
  if (isExternal) spec.externalTrafficPolicy ||= 'Cluster';
  if (type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

/** (DefaultClientIPServiceAffinitySeconds) */
const threeHours = 10800;

function setSessionAffinityDefaults(spec: Unvalidated<ServiceSpec>): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: threeHours } };
  }
}
