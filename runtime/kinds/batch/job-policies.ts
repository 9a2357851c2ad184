import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { omittedValue } from '../../machinery/validation/field-error.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateFormat, validateNonnegativeField } from '../validation/fields.ts';
import { validateIndexesFormat } from './job-indexes.ts';

/** Policies for the failure and the success of a job. (pkg/apis/batch/validation/validation.go) */

type JobSpec = Unvalidated<batch.JobSpec>;

const maxPodFailurePolicyRules = 20;
const maxPodFailurePolicyOnExitCodesValues = 255;
const maxPodFailurePolicyOnPodConditionsPatterns = 20;
const maxJobSuccessPolicySucceededIndexesLimit = 64 * 1024;
const maxSuccessPolicyRule = 20;

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** A required value, one of a few. */
function validateRequiredOneOf(value: string | undefined, values: readonly string[], field: Field): void {
  if (!value) field.required(`valid values: [${values.map(quote).join(' ')}]`);
  else if (!values.includes(value)) field.notSupported(value, values);
}

export function validatePodFailurePolicy(spec: JobSpec, field: Field): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const at = field.child('rules');
  if (rules.length > maxPodFailurePolicyRules) at.tooMany(rules.length, maxPodFailurePolicyRules);
  const { containers, initContainers } = spec.template?.spec ?? {};
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) validatePodFailurePolicyRule(spec, rule, at.index(index), names);
}

function validatePodFailurePolicyRule(
  { backoffLimitPerIndex }: JobSpec,
  { action, onExitCodes, onPodConditions }: Unvalidated<batch.PodFailurePolicyRule>,
  field: Field,
  containerNames: ReadonlySet<string | undefined>,
): void {
  validateRequiredOneOf(action, actions, field.child('action'));
  if (action === 'FailIndex' && backoffLimitPerIndex === undefined) {
    field.child('action').invalid(action, 'requires the backoffLimitPerIndex to be set');
  }
  const hasConditions = onPodConditions !== undefined && onPodConditions.length > 0;
  if (onExitCodes) validateOnExitCodes(onExitCodes, field.child('onExitCodes'), containerNames);
  if (hasConditions) validateOnPodConditions(onPodConditions, field.child('onPodConditions'));
  if (onExitCodes && hasConditions) {
    field.invalid(omittedValue, 'specifying both OnExitCodes and OnPodConditions is not supported');
  } else if (!onExitCodes && !hasConditions) {
    field.invalid(omittedValue, 'specifying one of OnExitCodes and OnPodConditions is required');
  }
}

/** (validatePodFailurePolicyRuleOnPodConditions) */
function validateOnPodConditions(patterns: readonly Unvalidated<batch.PodFailurePolicyOnPodConditionsPattern>[], field: Field): void {
  if (patterns.length > maxPodFailurePolicyOnPodConditionsPatterns) {
    field.tooMany(patterns.length, maxPodFailurePolicyOnPodConditionsPatterns);
  }
  for (const [index, { type = '', status }] of patterns.entries()) {
    const at = field.index(index);
    validateFormat(type, qualifiedName, at.child('type'));
    validateRequiredOneOf(status, statuses, at.child('status'));
  }
}

/** (validatePodFailurePolicyRuleOnExitCodes) */
function validateOnExitCodes(
  { operator, containerName, values: given }: Unvalidated<batch.PodFailurePolicyOnExitCodesRequirement>,
  field: Field,
  containerNames: ReadonlySet<string | undefined>,
): void {
  const values = given ?? []; // may be null
  validateRequiredOneOf(operator, operators, field.child('operator'));
  if (containerName !== undefined && !containerNames.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    field.child('containerName').invalid(containerName, detail);
  }
  const at = field.child('values');
  if (values.length === 0) at.invalid(given, 'at least one value is required');
  else if (values.length > maxPodFailurePolicyOnExitCodesValues) {
    at.tooMany(values.length, maxPodFailurePolicyOnExitCodesValues);
  }
  const seen = new Set<number>();
  let isOrdered = true;
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) at.index(index).invalid(value, 'must not be 0 for the In operator');
    if (seen.has(value)) at.index(index).duplicate(value);
    seen.add(value);
    if ((values[index - 1] ?? value) > value) isOrdered = false;
  }
  if (!isOrdered) at.invalid(values, 'must be ordered');
}

export function validateSuccessPolicy(spec: JobSpec, field: Field): void {
  const rules = spec.successPolicy?.rules ?? []; // may be null
  const at = field.child('rules');
  if (rules.length === 0) at.required('at least one rules must be specified when the successPolicy is specified');
  if (rules.length > maxSuccessPolicyRule) at.tooMany(rules.length, maxSuccessPolicyRule);
  for (const [index, rule] of rules.entries()) validateSuccessPolicyRule(spec, rule, at.index(index));
}

/** Without completions, which is reported elsewhere, indexes are unlimited. */
function validateSuccessPolicyRule(
  { completions = Number.POSITIVE_INFINITY }: JobSpec,
  { succeededIndexes, succeededCount }: Unvalidated<batch.SuccessPolicyRule>,
  field: Field,
): void {
  if (succeededCount === undefined && succeededIndexes === undefined) {
    field.required('at least one of succeededCount or succeededIndexes must be specified');
  }
  const indexes = field.child('succeededIndexes');
  const count = field.child('succeededCount');
  let total = 0;
  if (succeededIndexes !== undefined) {
    if (Buffer.byteLength(succeededIndexes) > maxJobSuccessPolicySucceededIndexesLimit) {
      indexes.tooLong('', maxJobSuccessPolicySucceededIndexesLimit);
    }
    const result = validateIndexesFormat(succeededIndexes, completions);
    if (typeof result === 'number') total = result;
    else indexes.invalid(succeededIndexes, `error parsing succeededIndexes: ${result}`);
  }
  if (succeededCount === undefined) return;
  validateNonnegativeField(succeededCount, count);
  const atMost = (limit: number, what: string): void =>
    count.invalid(succeededCount, `must be less than or equal to ${limit} (the number of ${what})`);
  if (succeededCount > completions) atMost(completions, 'specified completions');
  if (succeededIndexes !== undefined && succeededCount > total) {
    atMost(total, 'indexes in the specified succeededIndexes field');
  }
}
