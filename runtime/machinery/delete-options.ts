import { invalid as invalidStatus } from './errors/status.ts';
import { dryRunErrors } from './validation/dry-run.ts';
import { type FieldError, invalid, notSupported } from './validation/field-error.ts';
import { FieldPath } from './validation/field-path.ts';

/** metav1.DeleteOptions, from a query or from a body. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** Validates delete options of a query, a body or an eviction. (ValidateDeleteOptions) @throws StatusError 422 */
export function validateDeleteOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const path = FieldPath.of('propagationPolicy');
  const policy = options.propagationPolicy;
  if (options.orphanDependents !== undefined && policy !== undefined) {
    errors.push(invalid(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    errors.push(notSupported(path, policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  errors.push(...dryRunErrors(options.dryRun ?? []));
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) errors.push(...unsafeDeleteErrors(options));
  if (errors.length > 0) throw invalidStatus({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

/** Unsafe deletion allows no other option. (ValidateIgnoreStoreReadError) */
function unsafeDeleteErrors(options: DeleteOptions): FieldError[] {
  const path = FieldPath.of('ignoreStoreReadErrorWithClusterBreakingPotential');
  const beside = (name: string): FieldError => invalid(path, true, `cannot be set together with .${name}`);
  return [
    ...((options.dryRun?.length ?? 0) > 0 ? [beside('dryRun')] : []),
    ...(options.propagationPolicy === undefined ? [] : [beside('propagationPolicy')]),
    ...(options.orphanDependents === undefined ? [] : [beside('orphanDependents')]),
    ...(options.gracePeriodSeconds === undefined ? [] : [beside('gracePeriodSeconds')]),
    ...(options.preconditions === undefined ? [] : [beside('preconditions')]),
  ];
}
