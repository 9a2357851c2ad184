import type { Lease } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeField } from '../validation/fields.ts';

/** (pkg/apis/coordination/validation, ValidateLeaseSpec) */
export function validateLease({ spec = {} }: Unvalidated<Lease>, field: Field): void {
  const { leaseDurationSeconds, leaseTransitions } = spec;
  const at = field.child('spec');
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    at.child('leaseDurationSeconds').invalid(leaseDurationSeconds, 'must be greater than 0');
  }
  validateNonnegativeField(leaseTransitions, at.child('leaseTransitions'));
}
