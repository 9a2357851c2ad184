import type { Field } from '../../machinery/validation/field.ts';
import { labelKey } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';

export const oldestEmulationVersion = 'OldestEmulationVersion';

/**
 * A strategy of Kubernetes, or a name with a domain. Upstream repeats the name of the field in its path.
 * (pkg/apis/coordination/validation ValidateCoordinatedLeaseStrategy)
 */
export function validateCoordinatedLeaseStrategy(strategy: string, field: Field): void {
  const at = field.child('strategy');
  if (strategy.includes('/')) validateFormat(strategy, labelKey, at);
  else if (strategy !== oldestEmulationVersion) at.notSupported(strategy, [oldestEmulationVersion]);
}
