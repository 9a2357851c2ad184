import { invalid } from '../../machinery/errors/status.ts';
import { readDuration } from '../../machinery/go/duration.ts';
import { findingsOf } from '../../machinery/options/check-options.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldErrors } from '../../machinery/validation/field-errors.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import { isKnownCode } from '../requests/request-names.ts';
import type { ServedNames } from '../requests/served-names.ts';
import { reportFindings, validateMatch, validateServed } from '../requests/validation.ts';
import { faultNames } from './actions/actions.ts';
import type { Fault, FaultOccurrence, FaultPlanSpec } from './fault-plan.ts';
import { faultPlanSpec } from './option-types.ts';

/**
 * @param served the known resources and groups. Default: they are not checked. @throws StatusError 422 for an invalid
 *   spec
 */
export function requireValid(spec: FaultPlanSpec, served?: ServedNames): void {
  const errors = new FieldErrors();
  const field = Field.at(FieldPath.of('spec'), errors);
  reportFindings(findingsOf(faultPlanSpec, spec), field);
  if (errors.length === 0) validateFaultPlanSpec(spec, field);
  if (errors.length === 0 && served !== undefined) validateServed(spec.match ?? {}, field.child('match'), served);
  if (errors.length > 0) throw invalid({ group: testGroupName, kind: 'FaultPlan' }, '', errors as FieldError[]);
}

/** Checks the rules that types do not express. */
export function validateFaultPlanSpec({ match, occurrence, fault }: FaultPlanSpec, field: Field): void {
  if (match !== undefined) validateMatch(match, field.child('match'));
  if (occurrence !== undefined) validateOccurrence(occurrence, field.child('occurrence'));
  validateFault(fault ?? {}, field.child('fault'));
}

function validateOccurrence({ skip, count, probability, seed }: FaultOccurrence, field: Field): void {
  requireWhole(skip, 0, field.child('skip'));
  requireWhole(count, 1, field.child('count'));
  requireWhole(seed, 0, field.child('seed'));
  if (probability === undefined) return;
  const isProbability = /^\d*\.?\d+$/.test(probability) && Number(probability) <= 1;
  if (!isProbability) field.child('probability').invalid(probability, 'must be a decimal between 0 and 1, as "0.5"');
}

function requireWhole(value: number | undefined, least: number, field: Field): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  field.invalid(value, `must be a whole number, ${least} or more`);
}

function validateFault(fault: Fault, field: Field): void {
  const given = faultNames.filter((name) => fault[name] !== undefined);
  if (given.length === 0) field.required(`must specify one of: ${faultNames.join(', ')}`);
  for (const name of given.slice(1)) field.child(name).forbidden('may not specify more than 1 fault');
  const { status, delay, drop, cut, watch, staleRead, holdEvents, partition } = fault;
  if (status !== undefined) validateStatus(status, field.child('status'));
  requireDuration(delay?.duration, delay, field.child('delay', 'duration'));
  requireOneOf(delay?.when, times, field.child('delay', 'when'));
  requireOneOf(drop?.when, times, field.child('drop', 'when'));
  requireWhole(cut?.afterBytes, 0, field.child('cut', 'afterBytes'));
  if (watch !== undefined) validateWatch(watch, field.child('watch'));
  requireDuration(staleRead?.age, staleRead, field.child('staleRead', 'age'));
  requireDuration(holdEvents?.duration, holdEvents, field.child('holdEvents', 'duration'));
  requireDuration(partition?.duration, partition, field.child('partition', 'duration'));
}

const times = ['BeforeRequest', 'AfterRequest'];

function validateStatus({ code, retryAfterSeconds }: NonNullable<Fault['status']>, field: Field): void {
  const isError = Number.isInteger(code) && code >= 400 && code <= 599;
  if (!isError) field.child('code').invalid(code, 'must be between 400 and 599, inclusive');
  else if (!isKnownCode(code)) field.child('code').invalid(code, 'must be a code that HTTP defines');
  requireWhole(retryAfterSeconds, 1, field.child('retryAfterSeconds'));
}

function validateWatch({ action, afterEvents, bookmarks }: NonNullable<Fault['watch']>, field: Field): void {
  if (!action) field.child('action').required();
  else requireOneOf(action, ['Stall', 'Close', 'Expire'], field.child('action'));
  requireWhole(afterEvents, 0, field.child('afterEvents'));
  requireOneOf(bookmarks, ['Always', 'Never'], field.child('bookmarks'));
}

function requireOneOf(value: string | undefined, known: readonly string[], field: Field): void {
  if (value !== undefined && !known.includes(value)) field.notSupported(value, [...known].sort());
}

/** @param fault the owner of the duration; undefined skips the check */
function requireDuration(duration: string | undefined, fault: unknown, field: Field): void {
  if (fault === undefined) return;
  if (!duration) {
    field.required();
    return;
  }
  const nanoseconds = readDuration(duration);
  if (typeof nanoseconds === 'string') field.invalid(duration, nanoseconds);
  else if (nanoseconds <= 0n) field.invalid(duration, 'must be greater than 0');
}
