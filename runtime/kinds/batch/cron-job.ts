import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import { ageOf } from '../../machinery/age.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { containerImages, containerNames, formatLabelSelector } from '../printers.ts';
import type { WriteWarnings } from '../warnings.ts';
import { validateCronJobCreate, validateCronJobSpec } from './cron-job-validation.ts';
import { warningsForJobs } from './job.ts';

type CronJob = Unvalidated<batch.CronJob>;

const jobSpecOf = ({ spec }: CronJob): Unvalidated<batch.JobSpec> | undefined => spec?.jobTemplate?.spec;

export const cronJobSelector = (cronJob: CronJob): string => formatLabelSelector(jobSpecOf(cronJob)?.selector);
export const cronJobContainers = (cronJob: CronJob): string => containerNames(jobSpecOf(cronJob)?.template?.spec);
export const cronJobImages = (cronJob: CronJob): string => containerImages(jobSpecOf(cronJob)?.template?.spec);

export const cronJobSuspend = ({ spec }: CronJob): string => (spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False');
export const cronJobActive = ({ status }: CronJob): number => status?.active?.length ?? 0;
export const cronJobLastSchedule = ({ status }: CronJob, now: number): string =>
  status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>';

const jobTemplateWarnings = warningsForJobs(jobSpecOf, 'spec.jobTemplate.spec');

const timeZoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

/** A time zone in the schedule is an error on creation and a warning on update. (pkg/registry/batch/cronjob/strategy.go) */
export const cronJobWarnings: WriteWarnings<CronJob> = {
  warningsOnCreate: jobTemplateWarnings.warningsOnCreate,
  warningsOnUpdate(cronJob, old, rules) {
    const warnings = jobTemplateWarnings.warningsOnUpdate(cronJob, old, rules);
    return cronJob.spec?.schedule?.includes('TZ') ? [...warnings, timeZoneInSchedule] : warnings;
  },
};

/** (pkg/registry/batch/cronjob/strategy.go) */
export const cronJobStrategy: RESTStrategy = {
  validateCreate: (cronJob: CronJob, errors) => validateCronJobCreate(cronJob, Field.at(FieldPath.root, errors)),
  /** Updates of the status are not validated. */
  validateUpdate({ spec = {} }: CronJob, old: CronJob, errors, { part }) {
    if (part !== 'status') validateCronJobSpec(spec, old.spec ?? {}, Field.at(FieldPath.of('spec'), errors));
  },
};
