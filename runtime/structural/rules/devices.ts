import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkImmutable, type Errors } from './checks.ts';

/** Claims of devices and their templates keep what they ask for. (pkg/apis/resource/validation) */
export function updateResourceClaim(claim: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(claim.spec, old.spec, path.child('spec'), errors);
}

/** A slice stays with its driver, its pool and its node. */
export function updateResourceSlice(slice: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = path.child('spec');
  checkImmutable(slice.spec?.driver, old.spec?.driver, spec.child('driver'), errors);
  checkImmutable(slice.spec?.pool?.name, old.spec?.pool?.name, spec.child('pool', 'name'), errors);
  checkImmutable(slice.spec?.nodeName, old.spec?.nodeName, spec.child('nodeName'), errors);
}
