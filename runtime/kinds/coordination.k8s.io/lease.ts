import type { Part } from '../../machinery/object.ts';
import { invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';

/** (pkg/apis/coordination/validation) */
export function validateLease(lease: Part, path: FieldPath, errors: Errors): void {
  const { leaseDurationSeconds, leaseTransitions } = lease.spec ?? {};
  const at = path.child('spec');
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.push(invalid(at.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.push(invalid(at.child('leaseTransitions'), leaseTransitions, 'must be greater than or equal to 0'));
  }
}
