import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { omittedValue } from '../../machinery/validation/field-error.ts';
import { immutableText, validateNonnegativeFields } from '../validation/fields.ts';
import { internalStruct } from '../validation/internal-value.ts';
import { indexesOverlap, validateIndexesFormat } from './job-indexes.ts';

/**
 * The status of a job, which another controller than Kubernetes' own may write (spec.managedBy). Most rules check only
 * the changes of an update. (pkg/apis/batch/validation/validation.go, pkg/registry/batch/job/strategy.go)
 */

type Job = Unvalidated<batch.Job>;
type JobStatus = Unvalidated<batch.JobStatus>;

/** The true conditions of a status. */
class Conditions {
  readonly isComplete: boolean;
  readonly isFailed: boolean;
  readonly isFailureTarget: boolean;
  readonly isSuccessCriteriaMet: boolean;

  constructor({ conditions }: JobStatus) {
    const isTrue = (type: string): boolean => hasCondition(conditions, type, 'True');
    this.isComplete = isTrue('Complete');
    this.isFailed = isTrue('Failed');
    this.isFailureTarget = isTrue('FailureTarget');
    this.isSuccessCriteriaMet = isTrue('SuccessCriteriaMet');
  }

  get isFinished(): boolean {
    return this.isComplete || this.isFailed;
  }
}

const hasCondition = (conditions: JobStatus['conditions'], type: string, status: string): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === status) ?? false;

const isSameTime = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a === b || (a && b ? Date.parse(a) === Date.parse(b) : !a && !b);

/** The change of a status by an update. */
interface Update {
  readonly spec: Unvalidated<batch.JobSpec>;
  readonly status: JobStatus;
  readonly old: JobStatus;
  readonly now: Conditions;
  readonly before: Conditions;
  readonly isFinishedChanged: boolean;
  readonly isCompleteChanged: boolean;
  readonly isStartTimeChanged: boolean;
  readonly isCompletionTimeChanged: boolean;
}

/** (ValidateJobStatusUpdate, getStatusValidationOptions) */
export function validateJobStatusUpdate(job: Job, { status: old = {} }: Job, field: Field): void {
  const { spec = {}, status = {} } = job;
  const now = new Conditions(status);
  const before = new Conditions(old);
  const update: Update = {
    spec,
    status,
    old,
    now,
    before,
    isFinishedChanged: now.isFinished !== before.isFinished,
    isCompleteChanged: now.isComplete !== before.isComplete,
    isStartTimeChanged: !isSameTime(status.startTime, old.startTime),
    isCompletionTimeChanged: !isSameTime(status.completionTime, old.completionTime),
  };
  const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;
  validateNonnegativeFields(status, counts, field);
  validateUncountedTerminatedPods(status, field.child('uncountedTerminatedPods'));
  validateCompletion(update, field);
  validateFinished(update, field);
  validateIndexes(update, field);
  validateCounts(update, field);
  validateSuccessCriteria(update, field.child('conditions'));
  validateTransitions(update, field);
}

function validateUncountedTerminatedPods({ uncountedTerminatedPods: pods }: JobStatus, field: Field): void {
  if (!pods) return;
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods[list] ?? []).entries()) {
      const at = field.child(list).index(index);
      if (uid === '') at.invalid(uid, 'must not be empty');
      else if (seen.has(uid)) at.duplicate(uid);
      seen.add(uid);
    }
  }
}

function validateCompletion(update: Update, field: Field): void {
  const { status, now, before, isCompleteChanged, isStartTimeChanged, isCompletionTimeChanged } = update;
  const conditions = field.child('conditions');
  const at = field.child('completionTime');
  const { startTime, completionTime } = status;
  const isFailedChanged = now.isFailed !== before.isFailed;
  if (now.isComplete && now.isFailed && (isCompleteChanged || isFailedChanged)) {
    conditions.invalid(omittedValue, 'cannot set Complete=True and Failed=true conditions');
  }
  const isFailureTargetChanged = now.isFailureTarget !== before.isFailureTarget;
  if (now.isComplete && now.isFailureTarget && (isCompleteChanged || isFailureTargetChanged)) {
    conditions.invalid(omittedValue, 'cannot set Complete=True and FailureTarget=true conditions');
  }
  if (isCompleteChanged || isCompletionTimeChanged) {
    if (completionTime && !now.isComplete) {
      at.invalid(completionTime, 'cannot set completionTime when there is no Complete=True condition');
    }
    if (!completionTime && now.isComplete) at.required('completionTime is required for Complete jobs');
  }
  const isTimeChanged = isStartTimeChanged || isCompletionTimeChanged;
  if (isTimeChanged && startTime && completionTime && Date.parse(completionTime) < Date.parse(startTime)) {
    at.invalid(completionTime, 'must be equal to or after `startTime`');
  }
  if (now.isFailed && !now.isFailureTarget && (isFailedChanged || isFailedIndexesChanged(update))) {
    conditions.invalid(omittedValue, 'cannot set Failed=True condition without the FailureTarget=true condition');
  }
  const isSuccessCriteriaMetChanged = now.isSuccessCriteriaMet !== before.isSuccessCriteriaMet;
  if (now.isComplete && !now.isSuccessCriteriaMet && (isCompleteChanged || isSuccessCriteriaMetChanged)) {
    conditions.invalid(omittedValue, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
}

const isFailedIndexesChanged = ({ status, old }: Update): boolean => status.failedIndexes !== old.failedIndexes;
const isCompletedIndexesChanged = ({ status, old }: Update): boolean => (status.completedIndexes ?? '') !== (old.completedIndexes ?? '');

/** A finished job has no pods left. */
function validateFinished(update: Update, field: Field): void {
  const { spec, status, old, now, isFinishedChanged, isStartTimeChanged } = update;
  if (!now.isFinished) return;
  const { active = 0, uncountedTerminatedPods: uncounted } = status;
  if (active > 0 && (isFinishedChanged || active !== (old.active ?? 0))) {
    field.child('active').invalid(active, 'active>0 is invalid for finished job');
  }
  const isSuspendedWithZeroCompletions = spec.suspend === true && spec.completions === 0;
  if (!status.startTime && (isFinishedChanged || isStartTimeChanged) && !isSuspendedWithZeroCompletions) {
    field.child('startTime').required('startTime is required for finished job');
  }
  const hasUncounted = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0) > 0;
  if (hasUncounted && (isFinishedChanged || !equalPruned(uncounted, old.uncountedTerminatedPods))) {
    const value = internalStruct(uncounted, { succeeded: null, failed: null });
    field.child('uncountedTerminatedPods').invalid(value, 'must be empty for finished job');
  }
}

function validateIndexes(update: Update, field: Field): void {
  const { spec, status } = update;
  const { completions, backoffLimitPerIndex } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const completed = field.child('completedIndexes');
  const failed = field.child('failedIndexes');
  const isCompletedChanged = isCompletedIndexesChanged(update);
  const isFailedChanged = isFailedIndexesChanged(update);
  if (isCompletedChanged && completions !== undefined) {
    const problem = validateIndexesFormat(completedIndexes, completions);
    if (typeof problem === 'string') {
      completed.invalid(completedIndexes, `error parsing completedIndexes: ${problem}`);
    }
  }
  if (isFailedChanged && completions !== undefined && backoffLimitPerIndex !== undefined) {
    const problem = validateIndexesFormat(failedIndexes ?? '', completions);
    if (typeof problem === 'string') failed.invalid(failedIndexes, `error parsing failedIndexes: ${problem}`);
  }
  if (isCompletedChanged && completedIndexes !== '' && spec.completionMode !== 'Indexed') {
    completed.invalid(completedIndexes, 'cannot set non-empty completedIndexes when non-indexed completion mode');
  }
  if (isFailedChanged && backoffLimitPerIndex === undefined && failedIndexes !== undefined) {
    failed.invalid(failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  }
  if ((isFailedChanged || isCompletedChanged) && completions !== undefined && failedIndexes !== undefined) {
    const problem = indexesOverlap(completedIndexes, failedIndexes, completions);
    if (problem !== undefined) failed.invalid(failedIndexes, problem);
  }
}

function validateCounts({ status, old, now, isFinishedChanged }: Update, field: Field): void {
  const { active = 0, ready, terminating } = status;
  const isTerminatingChanged = terminating !== old.terminating;
  if (now.isFinished && (terminating ?? 0) > 0 && (isFinishedChanged || isTerminatingChanged)) {
    field.child('terminating').invalid(terminating, 'terminating>0 is invalid for finished job');
  }
  const isReadyOrActiveChanged = ready !== old.ready || active !== (old.active ?? 0);
  if (isReadyOrActiveChanged && ready !== undefined && ready > active) {
    field.child('ready').invalid(ready, 'cannot set more ready pods than active');
  }
}

/** @param field of the conditions */
function validateSuccessCriteria({ spec, now }: Update, field: Field): void {
  if (now.isSuccessCriteriaMet && now.isFailed) {
    field.invalid(omittedValue, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  }
  if (now.isSuccessCriteriaMet && now.isFailureTarget) {
    field.invalid(omittedValue, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  if (spec.successPolicy && !now.isSuccessCriteriaMet && now.isComplete) {
    const detail = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    field.invalid(omittedValue, detail);
  }
}

/** Changes that must not be undone. */
function validateTransitions(update: Update, field: Field): void {
  const { spec, status, old, now, before } = update;
  const conditions = field.child('conditions');
  const disabled = (condition: string): void => conditions.invalid(omittedValue, `cannot disable the terminal ${condition}=True condition`);
  if (before.isFailed && !now.isFailed) disabled('Failed');
  if (before.isComplete && !now.isComplete) disabled('Complete');
  if (before.isFailureTarget && !now.isFailureTarget) disabled('FailureTarget');
  const { failed = 0, succeeded = 0, completionTime } = status;
  if (failed < (old.failed ?? 0)) field.child('failed').invalid(failed, 'cannot decrease the failed counter');
  // an indexed job may be scaled down
  const isScalable = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (succeeded < (old.succeeded ?? 0) && !isScalable) {
    field.child('succeeded').invalid(succeeded, 'cannot decrease the succeeded counter');
  }
  if (completionTime && old.completionTime && update.isCompletionTimeChanged) {
    field.child('completionTime').invalid(completionTime, immutableText);
  }
  const isResuming = hasCondition(old.conditions, 'Suspended', 'True') && hasCondition(status.conditions, 'Suspended', 'False');
  if (old.startTime && update.isStartTimeChanged && !isResuming && !spec.suspend) {
    field.child('startTime').required('startTime cannot be removed for unsuspended job');
  }
  if (before.isSuccessCriteriaMet && !now.isSuccessCriteriaMet) {
    conditions.invalid(omittedValue, 'cannot disable the SuccessCriteriaMet=True condition');
  }
  if (before.isComplete && !before.isSuccessCriteriaMet && now.isSuccessCriteriaMet) {
    const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    conditions.invalid(omittedValue, detail);
  }
}
