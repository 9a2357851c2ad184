import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { validateDomainPrefixedPath } from '../../machinery/validation/domain-prefixed-path.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import type { PodValidationOptions } from '../core/pod/validation-options.ts';
import { validateEnum, validateNonnegativeField } from '../validation/fields.ts';
import { internal, internalStruct, type Shape } from '../validation/internal-value.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies.ts';

/** Rules for jobs and for the job templates of cron jobs. (pkg/apis/batch/validation/validation.go) */

type JobSpec = Unvalidated<batch.JobSpec>;

const maxParallelismForIndexedJob = 100_000;
const maxFailedIndexesForIndexedJob = 100_000;
const completionsSoftLimit = 100_000;
const parallelismLimitForHighCompletions = 10_000;
const maxFailedIndexesLimitForHighCompletions = 10_000;
const maxManagedByLength = 63;

/** (validateJobSpec) */
export function validateJobSpec(spec: JobSpec, field: Field, options: PodValidationOptions): void {
  const { backoffLimitPerIndex, maxFailedIndexes, managedBy, completionMode } = spec;
  validateNonnegativeField(spec.parallelism, field.child('parallelism'));
  validateNonnegativeField(spec.completions, field.child('completions'));
  validateNonnegativeField(spec.activeDeadlineSeconds, field.child('activeDeadlineSeconds'));
  validateNonnegativeField(spec.backoffLimit, field.child('backoffLimit'));
  validateNonnegativeField(spec.ttlSecondsAfterFinished, field.child('ttlSecondsAfterFinished'));
  validateNonnegativeField(backoffLimitPerIndex, field.child('backoffLimitPerIndex'));
  validateNonnegativeField(maxFailedIndexes, field.child('maxFailedIndexes'));
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    field.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified');
  }
  if (managedBy !== undefined) {
    validateDomainPrefixedPath(managedBy, field.child('managedBy'));
    if (Buffer.byteLength(managedBy) > maxManagedByLength) field.child('managedBy').tooLong('', maxManagedByLength);
  }
  if (completionMode !== undefined) {
    validateEnum(completionMode, ['NonIndexed', 'Indexed'], field.child('completionMode'));
  }
  if (completionMode === 'Indexed') validateIndexedCompletion(spec, field);
  else if (completionMode === undefined || completionMode === 'NonIndexed') validateNonIndexedCompletion(spec, field);
  validatePolicies(spec, field);
  validatePodTemplateSpec(spec.template, field.child('template'), options);
  validateRestartPolicy(spec, field.child('template', 'spec', 'restartPolicy'));
}

function validateIndexedCompletion({ completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes }: JobSpec, field: Field): void {
  if (completions === undefined) field.child('completions').required('when completion mode is Indexed');
  if (parallelism > maxParallelismForIndexedJob) {
    const detail = `must be less than or equal to ${maxParallelismForIndexedJob} when completion mode is Indexed`;
    field.child('parallelism').invalid(parallelism, detail);
  }
  const at = field.child('maxFailedIndexes');
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    at.invalid(maxFailedIndexes, 'must be less than or equal to completions');
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > maxFailedIndexesForIndexedJob) {
    at.invalid(maxFailedIndexes, `must be less than or equal to ${maxFailedIndexesForIndexedJob}`);
  }
  if ((completions ?? 0) <= completionsSoftLimit || backoffLimitPerIndex === undefined) return;
  const above = `when completions are above ${completionsSoftLimit} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) {
    at.required(`must be specified when completions is above ${completionsSoftLimit}`);
  }
  if (parallelism > parallelismLimitForHighCompletions) {
    const detail = `must be less than or equal to ${parallelismLimitForHighCompletions} ${above}`;
    field.child('parallelism').invalid(parallelism, detail);
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > maxFailedIndexesLimitForHighCompletions) {
    const detail = `must be less than or equal to ${maxFailedIndexesLimitForHighCompletions} ${above}`;
    at.invalid(maxFailedIndexes, detail);
  }
}

function validateNonIndexedCompletion({ backoffLimitPerIndex, maxFailedIndexes }: JobSpec, field: Field): void {
  const detail = 'requires indexed completion mode';
  if (backoffLimitPerIndex !== undefined) field.child('backoffLimitPerIndex').invalid(backoffLimitPerIndex, detail);
  if (maxFailedIndexes !== undefined) field.child('maxFailedIndexes').invalid(maxFailedIndexes, detail);
}

const successPolicy: Shape = { rules: { succeededIndexes: null, succeededCount: null } };
const podFailurePolicy: Shape = {
  rules: {
    action: '',
    onExitCodes: { containerName: null, operator: '', values: null },
    onPodConditions: { type: '', status: '' },
  },
};

/** Returns a policy as errors show it; null for an absent one. */
export const internalSuccessPolicy = (policy: unknown): unknown => internal(policy, successPolicy);
export const internalPodFailurePolicy = (policy: unknown): unknown => internal(policy, podFailurePolicy);

function validatePolicies(spec: JobSpec, field: Field): void {
  const { podReplacementPolicy } = spec;
  if (spec.podFailurePolicy) validatePodFailurePolicy(spec, field.child('podFailurePolicy'));
  if (spec.successPolicy) {
    const at = field.child('successPolicy');
    if (spec.completionMode === 'Indexed') validateSuccessPolicy(spec, at);
    else at.invalid(internalStruct(spec.successPolicy, successPolicy), 'requires indexed completion mode');
  }
  if (podReplacementPolicy === undefined) return;
  const supported = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  validateEnum(podReplacementPolicy, supported, field.child('podReplacementPolicy'));
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, field: Field): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') field.required('valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') field.notSupported(policy, ['OnFailure', 'Never']);
  else if (podFailurePolicy && policy !== 'Never') {
    field.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
