import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

type ComponentStatus = Unvalidated<core.ComponentStatus>;

const healthyCondition = ({ conditions }: ComponentStatus): Unvalidated<core.ComponentCondition> | undefined =>
  conditions?.find(({ type }) => type === 'Healthy');

/** (pkg/printers/internalversion/printers.go, printComponentStatus) */
export function componentStatus(component: ComponentStatus): string {
  const condition = healthyCondition(component);
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'Healthy' : 'Unhealthy';
}
export const componentMessage = (component: ComponentStatus): string => healthyCondition(component)?.message ?? '';
export const componentError = (component: ComponentStatus): string => healthyCondition(component)?.error ?? '';
