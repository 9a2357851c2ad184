import type { Pod, Service, ServicePort } from '../../../generated/v1.35/core/v1/types.ts';

/** The number of the port of a pod that a port of a service goes to; undefined if the pod has none of its name. (FindPort) */
export function findPort({ spec }: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort || port;
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  for (const { ports = [] } of [...(spec?.containers ?? []), ...sidecars]) {
    const found = ports.find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}

/** Whether clients find the pods of a service by its own IP. (helper.IsServiceIPSet) */
export const isServiceIPSet = ({ spec }: Service): boolean => Boolean(spec?.clusterIP) && spec?.clusterIP !== 'None';

/** A service without a selector, or that stands for a name elsewhere, has endpoints from others only. */
export const selectsPods = ({ spec }: Service): boolean => spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
