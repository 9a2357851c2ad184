import { humanDuration } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { isChanged, namesPods } from '../apps/workloads.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import type { WarningStrategy } from '../warnings.ts';

/** (pkg/registry/batch/job/strategy.go) */
export const jobSuccessful = ({ status }: KubeObject): string => String(status?.succeeded ?? 0);

/** In the order in which one hides the other. */
const jobConditions = (job: KubeObject): [condition: string, text: string][] => [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ...(job.metadata.deletionTimestamp ? [['', 'Terminating'] as [string, string]] : []),
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

export function jobStatus(job: KubeObject): string {
  const conditions: Part[] = job.status?.conditions ?? [];
  const holds = (wanted: string): boolean =>
    wanted === '' || conditions.find(({ type }) => type === wanted)?.status === 'True';
  return jobConditions(job).find(([condition]) => holds(condition))?.[1] ?? 'Running';
}

export function jobCompletions({ spec, status }: KubeObject): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return (spec?.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

/** From start to completion, or to now; "" before the start. */
export function jobDuration({ status }: KubeObject, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

const tooManyIndexes =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

function addJobSpecWarnings(spec: Part, at: string, warnings: string[]): void {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode === 'Indexed' && completions > 100_000 && parallelism > 10_000) {
    warnings.push(`${at}: ${tooManyIndexes}`);
  }
  addPodTemplateWarnings(spec?.template, `${at}.template`, warnings);
}

export const warningsForJobsOf = (
  specOf: (object: KubeObject) => Part,
  at: string,
): Required<Omit<WarningStrategy, 'warningsOnStatusUpdate'>> => ({
  warningsOnCreate(object) {
    const warnings: string[] = [];
    addNameWarnings(object, namesPods, warnings);
    addJobSpecWarnings(specOf(object), at, warnings);
    return warnings;
  },
  warningsOnUpdate(object, old) {
    const warnings: string[] = [];
    if (isChanged(object, old)) addJobSpecWarnings(specOf(object), at, warnings);
    return warnings;
  },
});

export const jobWarnings: WarningStrategy = warningsForJobsOf(({ spec }) => spec, 'spec');

/** Jobs and cron jobs. (pkg/apis/batch/validation/validation.go) */
const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];
const maxIndexedParallelism = 100_000;

export function validateJobSpec(spec: Part, field: Field): void {
  for (const name of counts) validateNonnegativeField(spec[name], field.child(name));
  validateLabelSelector(spec.selector, field.child('selector'));
  const { completions, parallelism, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (spec.completionMode === 'Indexed') {
    if (completions === undefined) field.child('completions').required('when completion mode is Indexed');
    if (parallelism > maxIndexedParallelism) {
      const detail = `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`;
      field.child('parallelism').invalid(parallelism, detail);
    }
    if (maxFailedIndexes > completions) {
      field.child('maxFailedIndexes').invalid(maxFailedIndexes, 'must be less than or equal to completions');
    }
  } else if (backoffLimitPerIndex !== undefined) {
    field.child('backoffLimitPerIndex').invalid(backoffLimitPerIndex, 'requires indexed completion mode');
  }
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    field.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified');
  }
  validatePodTemplateSpec(spec.template, field.child('template'));
  validateRestartPolicy(spec, field.child('template', 'spec', 'restartPolicy'));
  if (spec.podFailurePolicy) validatePodFailurePolicy(spec, field.child('podFailurePolicy'));
}

function validateRestartPolicy({ template, podFailurePolicy }: Part, field: Field): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') field.required('valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    field.notSupported(policy, ['OnFailure', 'Never']);
  }
  if (podFailurePolicy && policy !== 'Never') {
    field.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

function validatePodFailurePolicy({ podFailurePolicy, template }: Part, field: Field): void {
  const rules: readonly Part[] = podFailurePolicy.rules ?? [];
  const at = field.child('rules');
  if (rules.length > 20) at.tooMany(rules.length, 20);
  const containers: readonly Part[] = template?.spec?.containers ?? [];
  const initContainers: readonly Part[] = template?.spec?.initContainers ?? [];
  const names = new Set<string>([...containers, ...initContainers].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) {
    const each = at.index(index);
    if (!rule.action) {
      each.child('action').required('valid values: ["Count" "FailIndex" "FailJob" "Ignore"]');
    }
    if (rule.onExitCodes) validatePodFailurePolicyRuleOnExitCodes(rule.onExitCodes, names, each.child('onExitCodes'));
  }
}

function validatePodFailurePolicyRuleOnExitCodes(requirement: Part, names: ReadonlySet<string>, field: Field): void {
  const { operator, containerName } = requirement;
  const values: readonly number[] = requirement.values ?? [];
  if (!operator) field.child('operator').required('valid values: ["In" "NotIn"]');
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    field.child('containerName').invalid(containerName, detail);
  }
  const at = field.child('values');
  if (values.length === 0) at.invalid(values, 'at least one value is required');
  if (values.length > 255) at.tooMany(values.length, 255);
  const seen = new Set<number>();
  let ordered = true;
  for (const [index, value] of values.entries()) {
    if (index > 0 && (values[index - 1] as number) > value) ordered = false;
    if (operator === 'In' && value === 0) {
      at.index(index).invalid(value, 'must not be 0 for the In operator');
    }
    if (seen.has(value)) at.index(index).duplicate(value);
    seen.add(value);
  }
  if (!ordered) at.invalid(values, 'must be ordered');
}

export function validateJob(job: Part, field: Field): void {
  validateJobSpec(job.spec ?? {}, field.child('spec'));
}

/** (ValidateJobUpdate) A suspended job that never started may still choose where its pods run. */
export function validateJobUpdate(job: Part, old: Part, field: Field): void {
  const spec = job.spec ?? {};
  const before = old.spec ?? {};
  const at = field.child('spec');
  validateCompletions(spec, before, at);
  validateImmutableField(spec.selector, before.selector, at.child('selector'));
  const placeable = before.suspend && !old.status?.startTime;
  const template = placeable ? withPlacement(spec.template, before.template) : spec.template;
  validateImmutableField(template, before.template, at.child('template'));
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    validateImmutableField(spec[name], before[name], at.child(name));
  }
}

/** The new template with the old one's placement and metadata. */
const withPlacement = (template: Part, old: Part): Part => ({
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

/** Indexed jobs may grow and shrink as long as all their pods run at once. */
function validateCompletions(spec: Part, before: Part, field: Field): void {
  const at = field.child('completions');
  if (spec.completions === before.completions) return;
  if (before.completionMode !== 'Indexed' || before.completions === undefined || spec.completions === undefined) {
    validateImmutableField(spec.completions, before.completions, at);
  } else if (spec.completions !== spec.parallelism) {
    at.invalid(spec.completions, `can only be modified in tandem with ${field.child('parallelism')}`);
  }
}

const largestInt32 = 2147483647;

/** (SetDefaults_Job, pkg/apis/batch/v1/defaults.go) */
export function setJobDefaults(job: Part): void {
  job.spec ??= {};
  const spec = job.spec;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : largestInt32;
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...labels };
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
}

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** A job finds its pods by its uid, unless its author chose a selector. (pkg/registry/batch/job/strategy.go) */
export const jobStrategy: RESTStrategy = {
  defaultGarbageCollectionPolicy: 'OrphanDependents',
  prepareForCreate(job) {
    const spec: Part = job.spec ?? {};
    if (spec.manualSelector) return;
    const { uid, name = '' } = job.metadata;
    spec.template ??= {};
    spec.template.metadata ??= {};
    const labels = { ...spec.template.metadata.labels };
    for (const label of nameLabels) labels[label] ??= name;
    for (const label of uidLabels) labels[label] ??= uid;
    spec.template.metadata.labels = labels;
    spec.selector ??= {};
    spec.selector.matchLabels ??= {};
    spec.selector.matchLabels['batch.kubernetes.io/controller-uid'] ??= uid;
  },
};
