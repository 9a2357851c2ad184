import type { PodLogOptions } from '../../../generated/v1.35/core/v1/types.ts';
import { invalid as invalidStatus } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { canonicalTime } from '../../machinery/scalars/time.ts';
import { type FieldError, forbidden, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { boolParameter, int64Parameter } from '../parameters.ts';
import { type Query, queryValue } from '../query-string.ts';
import { decodeParameters } from './validation.ts';

/**
 * Returns the requested part of a container's log.
 *
 * @throws StatusError 400 for a parameter of a wrong type, 422
 */
export function podLogOptions(query: Query, pod: string): PodLogOptions {
  const options = decodeParameters(() => {
    const sinceTime = queryValue(query, 'sinceTime');
    return defined({
      container: queryValue(query, 'container'),
      follow: boolParameter(query, 'follow'),
      previous: boolParameter(query, 'previous'),
      sinceSeconds: int64Parameter(query, 'sinceSeconds'),
      sinceTime: sinceTime ? (canonicalTime(sinceTime) ?? undefined) : undefined,
      timestamps: boolParameter(query, 'timestamps'),
      tailLines: int64Parameter(query, 'tailLines'),
      limitBytes: int64Parameter(query, 'limitBytes'),
      insecureSkipTLSVerifyBackend: boolParameter(query, 'insecureSkipTLSVerifyBackend'),
      stream: queryValue(query, 'stream'),
    });
  });
  const errors = validatePodLogOptions(options);
  if (errors.length > 0) throw invalidStatus({ group: '', kind: 'PodLogOptions' }, pod, errors);
  return options;
}

/** The gate of log streams is off. (pkg/apis/core/validation, ValidatePodLogOptions) */
function validatePodLogOptions(options: PodLogOptions): FieldError[] {
  const { tailLines = 0, limitBytes = 1, sinceSeconds, sinceTime, stream } = options;
  const errors: FieldError[] = [];
  if (tailLines < 0) {
    errors.push(invalid(FieldPath.of('tailLines'), tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes < 1) errors.push(invalid(FieldPath.of('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbidden(FieldPath.unnamed, 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid(FieldPath.of('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  }
  if (stream !== undefined) errors.push(forbidden(FieldPath.of('stream'), 'may not be specified'));
  return errors;
}
