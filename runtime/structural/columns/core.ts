import type { KubeObject, Part } from '../../machinery/object.ts';

const count = (map: Part): number => Object.keys(map ?? {}).length;

export const configMapData = ({ data, binaryData }: KubeObject): number => count(data) + count(binaryData);
export const secretData = ({ data }: KubeObject): number => count(data);

const healthy = ({ conditions }: KubeObject): Part => conditions?.find(({ type }: Part) => type === 'Healthy');

export function componentStatus(object: KubeObject): string {
  const condition = healthy(object);
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'Healthy' : 'Unhealthy';
}
export const componentMessage = (object: KubeObject): string => healthy(object)?.message ?? '';
export const componentError = (object: KubeObject): string => healthy(object)?.error ?? '';

/** As `requests.cpu: 1/4, pods: 3/10`; what begins with `limits.` has a column of its own. */
const quota = ({ status }: KubeObject, limits: boolean): string =>
  Object.keys(status?.hard ?? {})
    .filter((resource) => resource.startsWith('limits.') === limits)
    .sort()
    .map((resource) => `${resource}: ${status.used?.[resource] ?? '0'}/${status.hard[resource]}`)
    .join(', ');

export const quotaRequests = (object: KubeObject): string => quota(object, false);
export const quotaLimits = (object: KubeObject): string => quota(object, true);
