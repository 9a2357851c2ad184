import { invalid as invalidStatus } from '../../machinery/errors/status.ts';
import { type FieldError, forbidden, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { int64Parameter } from '../parameters.ts';
import { type Query, queryValue } from '../query-string.ts';
import { decodeParameters } from './validation.ts';

/**
 * Checks the options of a request for a container's log. The gate of streams is off.
 * (pkg/apis/core/validation, ValidatePodLogOptions)
 *
 * @throws StatusError 400 for a parameter that is not of its type, 422
 */
export function validatePodLogOptions(query: Query, pod: string): void {
  if (query.size === 0) return;
  const errors: FieldError[] = [];
  const {
    tailLines = 0,
    limitBytes = 1,
    sinceSeconds,
  } = decodeParameters(() => ({
    tailLines: int64Parameter(query, 'tailLines'),
    limitBytes: int64Parameter(query, 'limitBytes'),
    sinceSeconds: int64Parameter(query, 'sinceSeconds'),
  }));
  if (tailLines < 0) {
    errors.push(invalid(FieldPath.of('tailLines'), tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes < 1) errors.push(invalid(FieldPath.of('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && queryValue(query, 'sinceTime')) {
    errors.push(forbidden(FieldPath.unnamed, 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid(FieldPath.of('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  }
  if (query.has('stream')) errors.push(forbidden(FieldPath.of('stream'), 'may not be specified'));
  if (errors.length > 0) throw invalidStatus({ group: '', kind: 'PodLogOptions' }, pod, errors);
}
