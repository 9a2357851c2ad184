import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { notFound } from '../../machinery/errors/status.ts';
import { memberOf } from '../../machinery/json/values.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { RESTStrategy } from '../../resources/rest.ts';

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

export interface ProbeResult {
  readonly result: 'success' | 'failure' | 'unknown';
  readonly message: string;
  readonly error?: string;
}

/** Reads the health of a component. Never rejects. */
export type ComponentProbe = () => Promise<ProbeResult>;

const conditionStatus = { success: 'True', failure: 'False', unknown: 'Unknown' } as const;

/** Reads the health of components at each read. (pkg/registry/core/componentstatus) */
export function newComponentStatusStrategy(probes: Readonly<Record<string, ComponentProbe>>): RESTStrategy {
  const statusOf = async (name: string, probe: ComponentProbe): Promise<core.ComponentStatus & KubeObject> => {
    const { result, message, error = '' } = await probe();
    const condition = {
      type: 'Healthy',
      status: conditionStatus[result],
      ...(message && { message }),
      ...(error && { error }),
    };
    return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [condition] };
  };
  return {
    get(name) {
      const probe = memberOf(probes, name);
      if (probe === undefined) throw notFound({ group: '', resource: 'componentstatus' }, name);
      return statusOf(name, probe);
    },
    list: () => Promise.all(Object.entries(probes).map(([name, probe]) => statusOf(name, probe))),
  };
}
