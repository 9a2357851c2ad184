import { duplicate, invalid, notSupported, required, tooMany } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkImmutable, checkLabelSelector, checkNonNegative, type Errors } from './checks.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { checkPodTemplate } from './pods.ts';
import { maxLengthText } from './text-formats.ts';

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

function checkJobSpec(spec: Part, path: FieldPath, errors: Errors): void {
  for (const name of counts) checkNonNegative(spec[name], path.child(name), errors);
  checkLabelSelector(spec.selector, path.child('selector'), errors);
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
  checkPodTemplate(spec.template, path.child('template'), errors);
  checkRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy'), errors);
  if (spec.podFailurePolicy) checkFailurePolicy(spec, path.child('podFailurePolicy'), errors);
}

function checkRestartPolicy({ template, podFailurePolicy }: Part, path: FieldPath, errors: Errors): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(notSupported(path, policy, ['OnFailure', 'Never']));
  }
  if (podFailurePolicy && policy !== 'Never') {
    errors.push(invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

function checkFailurePolicy({ podFailurePolicy, template }: Part, path: FieldPath, errors: Errors): void {
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
    if (rule.onExitCodes) checkExitCodes(rule.onExitCodes, names, each.child('onExitCodes'), errors);
  }
}

function checkExitCodes(requirement: Part, names: ReadonlySet<string>, path: FieldPath, errors: Errors): void {
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
  checkJobSpec(job.spec ?? {}, path.child('spec'), errors);
}

/** (ValidateJobUpdate) A suspended job that never started may still choose where its pods run. */
export function updateJob(job: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = job.spec ?? {};
  const before = old.spec ?? {};
  const at = path.child('spec');
  checkCompletions(spec, before, at, errors);
  checkImmutable(spec.selector, before.selector, at.child('selector'), errors);
  const placeable = before.suspend && !old.status?.startTime;
  const template = placeable ? withPlacement(spec.template, before.template) : spec.template;
  checkImmutable(template, before.template, at.child('template'), errors);
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    checkImmutable(spec[name], before[name], at.child(name), errors);
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
function checkCompletions(spec: Part, before: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('completions');
  if (spec.completions === before.completions) return;
  if (before.completionMode !== 'Indexed' || before.completions === undefined || spec.completions === undefined) {
    checkImmutable(spec.completions, before.completions, at, errors);
  } else if (spec.completions !== spec.parallelism) {
    errors.push(invalid(at, spec.completions, `can only be modified in tandem with ${path.child('parallelism')}`));
  }
}

const maxCronJobName = 52;

export function validateCronJob(job: Part, path: FieldPath, errors: Errors): void {
  const spec = job.spec ?? {};
  const at = path.child('spec');
  checkSchedule(spec, at, errors);
  for (const name of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    checkNonNegative(spec[name], at.child(name), errors);
  }
  checkJobSpec(spec.jobTemplate?.spec ?? {}, at.child('jobTemplate', 'spec'), errors);
  const name = job.metadata?.name ?? '';
  if (name.length > maxCronJobName) {
    errors.push(invalid(path.child('metadata', 'name'), name, maxLengthText(maxCronJobName)));
  }
}

function checkSchedule({ schedule = '', timeZone }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('schedule');
  if (schedule === '') errors.push(required(at));
  else {
    const problem = scheduleProblem(schedule);
    if (problem !== undefined) errors.push(invalid(at, schedule, problem));
    if (schedule.includes('TZ')) {
      const detail =
        timeZone === undefined
          ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
          : 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
      errors.push(invalid(at, schedule, detail));
    }
  }
  if (timeZone === undefined) return;
  const zone = path.child('timeZone');
  if (timeZone === '') errors.push(invalid(zone, timeZone, 'timeZone must be nil or non-empty string'));
  else if (timeZone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(invalid(zone, timeZone, detail));
  } else if (!isTimeZone(timeZone)) errors.push(invalid(zone, timeZone, `unknown time zone ${timeZone}`));
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
