import type { Pod, Service, ServicePort } from '../../../generated/v1.35/core/v1/types.ts';

/**
 * Returns the number of the pod's port that the service's port targets; undefined if the pod has no port of that name.
 * (FindPort)
 */
export function findPort({ spec }: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort || port;
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  for (const { ports = [] } of [...(spec?.containers ?? []), ...sidecars]) {
    const found = ports.find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}

/** Reports whether the service has an IP of its own. (helper.IsServiceIPSet) */
export const isServiceIPSet = ({ spec }: Service): boolean => Boolean(spec?.clusterIP) && spec?.clusterIP !== 'None';

/** Reports whether a service selects pods. Other services get their endpoints from other writers. */
export const selectsPods = ({ spec }: Service): boolean => spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
