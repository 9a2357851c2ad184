import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { humanDuration } from '../../machinery/age.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { isChanged, namesPods } from '../apps/workloads.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { validateImmutableField, validateNonnegativeFields } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import type { WarningStrategy } from '../warnings.ts';

type Job = Unvalidated<batch.Job>;
type JobSpec = Unvalidated<batch.JobSpec>;
type PodTemplate = Unvalidated<PodTemplateSpec>;

/** The value of the field selector status.successful. (JobToSelectableFields) */
export const jobSuccessful = ({ status }: Job): string => String(status?.succeeded ?? 0);

/** (printJob) */
export function jobStatus({ metadata, status }: Job): string {
  const isTrue = (condition: string): boolean =>
    status?.conditions?.find(({ type }) => type === condition)?.status === 'True';
  const finished = ['Complete', 'Failed'].find(isTrue);
  if (finished !== undefined) return finished;
  if (metadata?.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running';
}

export function jobCompletions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

/** The time from start to completion, or to now; "" before the start. */
export function jobDuration({ status }: Job, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

const tooManyIndexes =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** (pkg/api/job/warnings.go, WarningsForJobSpec) */
function addJobSpecWarnings(spec: JobSpec | undefined, path: string, warnings: string[]): void {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode === 'Indexed' && completions > 100_000 && parallelism > 10_000) {
    warnings.push(`${path}: ${tooManyIndexes}`);
  }
  addPodTemplateWarnings(spec?.template, `${path}.template`, warnings);
}

/** Warnings about jobs, and about kinds that hold the spec of a job at `path`. */
export const warningsForJobs = <T extends { readonly metadata?: ObjectMeta }>(
  specOf: (object: T) => JobSpec | undefined,
  path: string,
): Required<Omit<WarningStrategy<T>, 'warningsOnStatusUpdate'>> => ({
  warningsOnCreate(object) {
    const warnings: string[] = [];
    addNameWarnings(object, namesPods, warnings);
    addJobSpecWarnings(specOf(object), path, warnings);
    return warnings;
  },
  warningsOnUpdate(object, old) {
    const warnings: string[] = [];
    if (isChanged(object, old)) addJobSpecWarnings(specOf(object), path, warnings);
    return warnings;
  },
});

export const jobWarnings: WarningStrategy<Job> = warningsForJobs(({ spec }) => spec, 'spec');

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;
const maxParallelismForIndexedJob = 100_000;

/** (ValidateJobSpec, pkg/apis/batch/validation/validation.go) */
export function validateJobSpec(spec: JobSpec, field: Field): void {
  validateNonnegativeFields(spec, counts, field);
  validateLabelSelector(spec.selector, field.child('selector'));
  validateIndexedCompletion(spec, field);
  validatePodTemplateSpec(spec.template, field.child('template'));
  validateRestartPolicy(spec, field.child('template', 'spec', 'restartPolicy'));
  const { podFailurePolicy, template } = spec;
  if (podFailurePolicy) validatePodFailurePolicy(podFailurePolicy, template, field.child('podFailurePolicy'));
}

function validateIndexedCompletion(spec: JobSpec, field: Field): void {
  const { completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (spec.completionMode === 'Indexed') {
    if (completions === undefined) field.child('completions').required('when completion mode is Indexed');
    if (parallelism > maxParallelismForIndexedJob) {
      const detail = `must be less than or equal to ${maxParallelismForIndexedJob} when completion mode is Indexed`;
      field.child('parallelism').invalid(parallelism, detail);
    }
    if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
      field.child('maxFailedIndexes').invalid(maxFailedIndexes, 'must be less than or equal to completions');
    }
  } else if (backoffLimitPerIndex !== undefined) {
    field.child('backoffLimitPerIndex').invalid(backoffLimitPerIndex, 'requires indexed completion mode');
  }
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    field.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified');
  }
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, field: Field): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') field.required('valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    field.notSupported(policy, ['OnFailure', 'Never']);
  }
  if (podFailurePolicy && policy !== 'Never') {
    field.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

function validatePodFailurePolicy(
  policy: Unvalidated<batch.PodFailurePolicy>,
  template: PodTemplate | undefined,
  field: Field,
): void {
  const rules = policy.rules ?? [];
  const at = field.child('rules');
  if (rules.length > 20) at.tooMany(rules.length, 20);
  const { containers, initContainers } = template?.spec ?? {};
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name));
  for (const [index, { action, onExitCodes }] of rules.entries()) {
    const rule = at.index(index);
    if (!action) rule.child('action').required('valid values: ["Count" "FailIndex" "FailJob" "Ignore"]');
    if (onExitCodes) validatePodFailurePolicyRuleOnExitCodes(onExitCodes, names, rule.child('onExitCodes'));
  }
}

function validatePodFailurePolicyRuleOnExitCodes(
  requirement: Unvalidated<batch.PodFailurePolicyOnExitCodesRequirement>,
  containerNames: ReadonlySet<string | undefined>,
  field: Field,
): void {
  const { operator, containerName } = requirement;
  const values = requirement.values ?? [];
  if (!operator) field.child('operator').required('valid values: ["In" "NotIn"]');
  if (containerName !== undefined && !containerNames.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    field.child('containerName').invalid(containerName, detail);
  }
  const at = field.child('values');
  if (values.length === 0) at.invalid(values, 'at least one value is required');
  if (values.length > 255) at.tooMany(values.length, 255);
  const seen = new Set<number>();
  let isOrdered = true;
  let previous = Number.NEGATIVE_INFINITY;
  for (const [index, value] of values.entries()) {
    if (previous > value) isOrdered = false;
    previous = value;
    if (operator === 'In' && value === 0) {
      at.index(index).invalid(value, 'must not be 0 for the In operator');
    }
    if (seen.has(value)) at.index(index).duplicate(value);
    seen.add(value);
  }
  if (!isOrdered) at.invalid(values, 'must be ordered');
}

export function validateJob({ spec = {} }: Job, field: Field): void {
  validateJobSpec(spec, field.child('spec'));
}

/** A suspended job that was never started may still change where its pods are scheduled. (ValidateJobUpdate) */
export function validateJobUpdate({ spec = {} }: Job, old: Job, field: Field): void {
  const oldSpec = old.spec ?? {};
  const at = field.child('spec');
  validateCompletions(spec, oldSpec, at);
  validateImmutableField(spec.selector, oldSpec.selector, at.child('selector'));
  const isSchedulingMutable = oldSpec.suspend && !old.status?.startTime;
  const template = isSchedulingMutable ? withScheduling(spec.template, oldSpec.template) : spec.template;
  validateImmutableField(template, oldSpec.template, at.child('template'));
  const immutable = [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ] as const;
  for (const name of immutable) validateImmutableField(spec[name], oldSpec[name], at.child(name));
}

/** The new template with the metadata and the scheduling directives of the old one. */
const withScheduling = (template: PodTemplate | undefined, old: PodTemplate | undefined): PodTemplate => ({
  ...template,
  metadata: { ...template?.metadata, annotations: old?.metadata?.annotations, labels: old?.metadata?.labels },
  spec: {
    ...template?.spec,
    nodeSelector: old?.spec?.nodeSelector,
    tolerations: old?.spec?.tolerations,
    schedulingGates: old?.spec?.schedulingGates,
    affinity: { ...template?.spec?.affinity, nodeAffinity: old?.spec?.affinity?.nodeAffinity },
  },
});

/** An indexed job may be scaled if completions and parallelism stay equal. */
function validateCompletions(spec: JobSpec, old: JobSpec, field: Field): void {
  const at = field.child('completions');
  if (spec.completions === old.completions) return;
  if (old.completionMode !== 'Indexed' || old.completions === undefined || spec.completions === undefined) {
    validateImmutableField(spec.completions, old.completions, at);
  } else if (spec.completions !== spec.parallelism) {
    at.invalid(spec.completions, `can only be modified in tandem with ${field.child('parallelism')}`);
  }
}

/** (SetDefaults_Job, pkg/apis/batch/v1/defaults.go) */
export function setJobDefaults(job: Job): void {
  job.spec ??= {};
  const { metadata, spec } = job;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  const labels = spec.template?.metadata?.labels;
  if (labels && metadata && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
}

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** Gives the pods of a job a label with its uid, and selects by it, unless `manualSelector` is set. (generateSelector) */
function generateSelector({ metadata, spec }: batch.Job): void {
  if (!spec || spec.manualSelector) return;
  const { uid = '', name = '' } = metadata;
  spec.template ??= {};
  spec.template.metadata ??= {};
  const labels = { ...spec.template.metadata.labels };
  for (const label of nameLabels) labels[label] ??= name;
  for (const label of uidLabels) labels[label] ??= uid;
  spec.template.metadata.labels = labels;
  spec.selector ??= {};
  spec.selector.matchLabels ??= {};
  spec.selector.matchLabels['batch.kubernetes.io/controller-uid'] ??= uid;
}

/** (pkg/registry/batch/job/strategy.go) */
export const jobStrategy: RESTStrategy = {
  defaultGarbageCollectionPolicy: 'OrphanDependents',
  prepareForCreate: generateSelector,
};
