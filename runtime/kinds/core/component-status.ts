import type { KubeObject, Part } from '../../machinery/object.ts';

const healthy = ({ conditions }: KubeObject): Part => conditions?.find(({ type }: Part) => type === 'Healthy');

export function componentStatus(object: KubeObject): string {
  const condition = healthy(object);
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'Healthy' : 'Unhealthy';
}
export const componentMessage = (object: KubeObject): string => healthy(object)?.message ?? '';
export const componentError = (object: KubeObject): string => healthy(object)?.error ?? '';
