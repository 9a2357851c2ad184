import { humanDuration } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { isChanged, namesPods } from '../apps/pod-template.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { type Errors, validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import type { WarningRules } from '../warnings.ts';

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
): Required<Omit<WarningRules, 'onStatusUpdate'>> => ({
  onCreate(object) {
    const warnings: string[] = [];
    addNameWarnings(object, namesPods, warnings);
    addJobSpecWarnings(specOf(object), at, warnings);
    return warnings;
  },
  onUpdate(object, old) {
    const warnings: string[] = [];
    if (isChanged(object, old)) addJobSpecWarnings(specOf(object), at, warnings);
    return warnings;
  },
});

export const jobWarnings: WarningRules = warningsForJobsOf(({ spec }) => spec, 'spec');

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

export function validateJobSpec(spec: Part, path: FieldPath, errors: Errors): void {
  for (const name of counts) validateNonnegativeField(spec[name], path.child(name), errors);
  validateLabelSelector(spec.selector, path.child('selector'), errors);
  const { completions, parallelism, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (spec.completionMode === 'Indexed') {
    if (completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
    if (parallelism > maxIndexedParallelism) {
      const detail = `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`;
      errors.push(invalid(path.child('parallelism'), parallelism, detail));
    }
    if (maxFailedIndexes > completions) {
      errors.push(
        invalid(path.child('maxFailedIndexes'), maxFailedIndexes, 'must be less than or equal to completions'),
      );
    }
  } else if (backoffLimitPerIndex !== undefined) {
    errors.push(invalid(path.child('backoffLimitPerIndex'), backoffLimitPerIndex, 'requires indexed completion mode'));
  }
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  }
  validatePodTemplateSpec(spec.template, path.child('template'), errors);
  validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy'), errors);
  if (spec.podFailurePolicy) validatePodFailurePolicy(spec, path.child('podFailurePolicy'), errors);
}

function validateRestartPolicy({ template, podFailurePolicy }: Part, path: FieldPath, errors: Errors): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(notSupported(path, policy, ['OnFailure', 'Never']));
  }
  if (podFailurePolicy && policy !== 'Never') {
    errors.push(invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

function validatePodFailurePolicy({ podFailurePolicy, template }: Part, path: FieldPath, errors: Errors): void {
  const rules: readonly Part[] = podFailurePolicy.rules ?? [];
  const at = path.child('rules');
  if (rules.length > 20) errors.push(tooMany(at, rules.length, 20));
  const containers: readonly Part[] = template?.spec?.containers ?? [];
  const initContainers: readonly Part[] = template?.spec?.initContainers ?? [];
  const names = new Set<string>([...containers, ...initContainers].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) {
    const each = at.index(index);
    if (!rule.action) {
      errors.push(required(each.child('action'), 'valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'));
    }
    if (rule.onExitCodes)
      validatePodFailurePolicyRuleOnExitCodes(rule.onExitCodes, names, each.child('onExitCodes'), errors);
  }
}

function validatePodFailurePolicyRuleOnExitCodes(
  requirement: Part,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  const { operator, containerName } = requirement;
  const values: readonly number[] = requirement.values ?? [];
  if (!operator) errors.push(required(path.child('operator'), 'valid values: ["In" "NotIn"]'));
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(path.child('containerName'), containerName, detail));
  }
  const at = path.child('values');
  if (values.length === 0) errors.push(invalid(at, values, 'at least one value is required'));
  if (values.length > 255) errors.push(tooMany(at, values.length, 255));
  const seen = new Set<number>();
  let ordered = true;
  for (const [index, value] of values.entries()) {
    if (index > 0 && (values[index - 1] as number) > value) ordered = false;
    if (operator === 'In' && value === 0) {
      errors.push(invalid(at.index(index), value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicate(at.index(index), value));
    seen.add(value);
  }
  if (!ordered) errors.push(invalid(at, values, 'must be ordered'));
}

export function validateJob(job: Part, path: FieldPath, errors: Errors): void {
  validateJobSpec(job.spec ?? {}, path.child('spec'), errors);
}

/** (ValidateJobUpdate) A suspended job that never started may still choose where its pods run. */
export function validateJobUpdate(job: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = job.spec ?? {};
  const before = old.spec ?? {};
  const at = path.child('spec');
  validateCompletions(spec, before, at, errors);
  validateImmutableField(spec.selector, before.selector, at.child('selector'), errors);
  const placeable = before.suspend && !old.status?.startTime;
  const template = placeable ? withPlacement(spec.template, before.template) : spec.template;
  validateImmutableField(template, before.template, at.child('template'), errors);
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    validateImmutableField(spec[name], before[name], at.child(name), errors);
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
function validateCompletions(spec: Part, before: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('completions');
  if (spec.completions === before.completions) return;
  if (before.completionMode !== 'Indexed' || before.completions === undefined || spec.completions === undefined) {
    validateImmutableField(spec.completions, before.completions, at, errors);
  } else if (spec.completions !== spec.parallelism) {
    errors.push(invalid(at, spec.completions, `can only be modified in tandem with ${path.child('parallelism')}`));
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
