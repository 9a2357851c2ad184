import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest, invalid } from '../../machinery/errors/status.ts';
import { isSelectorError } from '../../machinery/selectors/selector-error.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { isParameterError } from '../parameters.ts';

/*
 * Errors in the options of verbs. As upstream, a value of a wrong type is a 400, and a forbidden value is a 422.
 * (apimachinery meta/v1/conversion.go and meta/v1/validation, meta/internalversion/validation)
 */

const metaGroup = 'meta.k8s.io';

/** Runs `decode`. @throws StatusError 400 for a parameter of a wrong type */
export function decodeParameters<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (isParameterError(error) || isSelectorError(error) || isDecodeError(error)) throw badRequest(error.message);
    throw error;
  }
}

/** @throws StatusError 422 with the errors, if any */
export function throwIfInvalid(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
}
