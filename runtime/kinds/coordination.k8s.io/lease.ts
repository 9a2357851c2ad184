import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';

/** (pkg/apis/coordination/validation) */
export function validateLease(lease: Part, field: Field): void {
  const { leaseDurationSeconds, leaseTransitions } = lease.spec ?? {};
  const at = field.child('spec');
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    at.child('leaseDurationSeconds').invalid(leaseDurationSeconds, 'must be greater than 0');
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    at.child('leaseTransitions').invalid(leaseTransitions, 'must be greater than or equal to 0');
  }
}
