import type { Part } from '../../../machinery/object.ts';

const externalTypes: ReadonlySet<string> = new Set(['NodePort', 'LoadBalancer']);

/** (SetDefaults_Service, pkg/apis/core/v1/defaults.go) */
export function setServiceDefaults(service: Part): void {
  service.spec ??= {};
  const spec = service.spec;
  setSessionAffinity(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    if (!port.targetPort) port.targetPort = port.port;
  }
  const external = externalTypes.has(spec.type) || (spec.type === 'ClusterIP' && spec.externalIPs?.length > 0);
  if (external) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

/** Three hours for clients that stick to their address. */
function setSessionAffinity(spec: Part): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10800 } };
  }
}
