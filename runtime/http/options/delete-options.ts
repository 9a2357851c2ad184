import { type FieldError, invalid, notSupported } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { boolParameter, int64Parameter } from '../parameters.ts';
import { type Query, queryValue } from '../query-string.ts';
import { decodeParameters, dryRunErrors, throwIfInvalid } from './validation.ts';

/** metav1.DeleteOptions, from the query or from the body. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** Parses the delete options of a request without a body. @throws StatusError 400 */
export function parseDeleteOptions(query: Query): DeleteOptions {
  if (query.size === 0) return {};
  return decodeParameters(() => {
    const gracePeriodSeconds = int64Parameter(query, 'gracePeriodSeconds');
    const orphanDependents = boolParameter(query, 'orphanDependents');
    const propagationPolicy = queryValue(query, 'propagationPolicy');
    const dryRun = query.get('dryRun');
    const ignore = boolParameter(query, 'ignoreStoreReadErrorWithClusterBreakingPotential');
    const uid = queryValue(query, 'uid');
    const resourceVersion = queryValue(query, 'resourceVersion');
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    return {
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(orphanDependents === undefined ? {} : { orphanDependents }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(ignore === undefined ? {} : { ignoreStoreReadErrorWithClusterBreakingPotential: ignore }),
      ...(uid || resourceVersion ? { preconditions } : {}),
    };
  });
}

/** Validates delete options from the query or the body. @throws StatusError 422 */
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
  throwIfInvalid('DeleteOptions', errors);
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
