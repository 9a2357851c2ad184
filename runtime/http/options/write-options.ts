import { dryRunErrors } from '../../machinery/validation/dry-run.ts';
import { type FieldError, forbidden, notSupported, required } from '../../machinery/validation/field-error.ts';
import { validateFieldManager } from '../../machinery/validation/field-manager.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { FieldValidation } from '../../machinery/validation/field-validation.ts';
import { boolParameter } from '../parameters.ts';
import { type Query, queryValue } from '../query-string.ts';
import { throwIfInvalid } from './validation.ts';

/** metav1.CreateOptions and metav1.UpdateOptions. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** "" when absent. */
  readonly fieldManager: string;
  /** Default: Warn. */
  readonly fieldValidation: FieldValidation;
}

/** metav1.PatchOptions. */
export interface PatchOptions extends WriteOptions {
  readonly force?: boolean;
}

/** @throws StatusError 422 */
export function parseCreateOptions(query: Query): WriteOptions {
  return writeOptions(query, 'CreateOptions', []);
}

/** @throws StatusError 422 */
export function parseUpdateOptions(query: Query): WriteOptions {
  return writeOptions(query, 'UpdateOptions', []);
}

/**
 * @param apply true for an apply configuration, which requires a field manager and allows `force`
 * @throws StatusError 422
 */
export function parsePatchOptions(query: Query, apply: boolean): PatchOptions {
  const force = boolParameter(query, 'force');
  const errors: FieldError[] = [];
  if (apply && !queryValue(query, 'fieldManager')) {
    errors.push(required(FieldPath.of('fieldManager'), 'is required for apply patch'));
  }
  if (!apply && force !== undefined) {
    errors.push(forbidden(FieldPath.of('force'), 'may not be specified for non-apply patch'));
  }
  const options = writeOptions(query, 'PatchOptions', errors);
  return force === undefined ? options : { ...options, force };
}

const noWriteOptions: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };

function writeOptions(query: Query, kind: string, errors: FieldError[]): WriteOptions {
  if (query.size === 0 && errors.length === 0) return noWriteOptions;
  const fieldManager = queryValue(query, 'fieldManager') ?? '';
  const dryRun = query.get('dryRun') ?? [];
  const fieldValidation = queryValue(query, 'fieldValidation') ?? '';
  errors.push(...validateFieldManager(fieldManager, FieldPath.of('fieldManager')), ...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    errors.push(notSupported(FieldPath.of('fieldValidation'), fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  throwIfInvalid(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
  };
}
