import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import { humanDuration } from '../../machinery/age.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { isChanged, namesPods } from '../apps/workloads.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { setLabelsOfTemplate } from '../validation/labels.ts';
import type { WriteWarnings } from '../warnings.ts';
import { validateJobStatusUpdate } from './job-status.ts';
import {
  controllerUidLabel,
  jobNameLabel,
  legacyControllerUidLabel,
  legacyJobNameLabel,
  validateJobCreate,
  validateJobUpdate,
} from './job-validation.ts';

type Job = Unvalidated<batch.Job>;
type JobSpec = Unvalidated<batch.JobSpec>;

/** Returns the value of the field selector status.successful. (JobToSelectableFields) */
export const jobSuccessful = ({ status }: Job): string => String(status?.succeeded ?? 0);

/** (printJob) */
export function jobStatus({ metadata, status }: Job): string {
  const isTrue = (condition: string): boolean => status?.conditions?.find(({ type }) => type === condition)?.status === 'True';
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

/** Returns the time from start to completion, or to now; "" before the start. */
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

/** Returns the warnings about jobs, or about kinds with a job's spec at `path`. */
export const warningsForJobs = <T extends { readonly metadata?: ObjectMeta }>(
  specOf: (object: T) => JobSpec | undefined,
  path: string,
): Required<Omit<WriteWarnings<T>, 'warningsOnStatusUpdate'>> => ({
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

export const jobWarnings: WriteWarnings<Job> = warningsForJobs(({ spec }) => spec, 'spec');

/** (SetDefaults_Job, pkg/apis/batch/v1/defaults.go) */
export function setJobDefaults(job: Job): void {
  job.spec ??= {};
  const { spec } = job;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  // the shared map gives the job the labels that generateSelector adds, too
  setLabelsOfTemplate(job);
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
}

const uidLabels = [legacyControllerUidLabel, controllerUidLabel];
const nameLabels = [legacyJobNameLabel, jobNameLabel];

/** Gives the pods of a job a label with its uid, and selects by it, unless `manualSelector` is set. (generateSelector) */
function generateSelector({ metadata, spec }: batch.Job): void {
  if (!spec || spec.manualSelector) return;
  const { uid = '', name = '' } = metadata;
  spec.template ??= {};
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  const { labels } = spec.template.metadata;
  for (const label of nameLabels) labels[label] ??= name;
  for (const label of uidLabels) labels[label] ??= uid;
  spec.selector ??= {};
  spec.selector.matchLabels ??= {};
  spec.selector.matchLabels[controllerUidLabel] ??= uid;
}

/** (pkg/registry/batch/job/strategy.go) */
export const jobStrategy: RESTStrategy = {
  defaultGarbageCollectionPolicy: 'OrphanDependents',
  deletionWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  prepareForCreate: generateSelector,
  prepareForUpdate(job: Job & KubeObject, _old, { part }) {
    if (part === 'status') setLabelsOfTemplate(job);
  },
  validateCreate: (job: Job, errors) => validateJobCreate(job, Field.at(FieldPath.root, errors)),
  validateUpdate(job: Job, old: Job, errors, { part }) {
    const field = Field.at(FieldPath.root, errors);
    if (part === 'status') validateJobStatusUpdate(job, old, field.child('status'));
    else validateJobUpdate(job, old, field);
  },
};
