import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import { ageOf } from '../../machinery/age.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { containerImages, containerNames, formatLabelSelector } from '../printers.ts';
import { maxLengthText, validateNonnegativeFields } from '../validation/fields.ts';
import type { WarningStrategy } from '../warnings.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { validateJobSpec, warningsForJobs } from './job.ts';

type CronJob = Unvalidated<batch.CronJob>;

const jobSpecOf = ({ spec }: CronJob): Unvalidated<batch.JobSpec> | undefined => spec?.jobTemplate?.spec;

export const cronJobSelector = (cronJob: CronJob): string => formatLabelSelector(jobSpecOf(cronJob)?.selector);
export const cronJobContainers = (cronJob: CronJob): string => containerNames(jobSpecOf(cronJob)?.template?.spec);
export const cronJobImages = (cronJob: CronJob): string => containerImages(jobSpecOf(cronJob)?.template?.spec);

export const cronJobSuspend = ({ spec }: CronJob): string =>
  spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';
export const cronJobActive = ({ status }: CronJob): number => status?.active?.length ?? 0;
export const cronJobLastSchedule = ({ status }: CronJob, now: number): string =>
  status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>';

const jobTemplateWarnings = warningsForJobs(jobSpecOf, 'spec.jobTemplate.spec');

const timeZoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

/** A time zone in the schedule is an error on creation and a warning on update. (pkg/registry/batch/cronjob/strategy.go) */
export const cronJobWarnings: WarningStrategy<CronJob> = {
  warningsOnCreate: jobTemplateWarnings.warningsOnCreate,
  warningsOnUpdate(cronJob, old) {
    const warnings = jobTemplateWarnings.warningsOnUpdate(cronJob, old);
    return cronJob.spec?.schedule?.includes('TZ') ? [...warnings, timeZoneInSchedule] : warnings;
  },
};

const maxCronJobName = 52;

/** (ValidateCronJobSpec, pkg/apis/batch/validation/validation.go) */
export function validateCronJob({ metadata, spec = {} }: CronJob, field: Field): void {
  const at = field.child('spec');
  validateScheduleFormat(spec, at.child('schedule'));
  if (spec.timeZone !== undefined) validateTimeZone(spec.timeZone, at.child('timeZone'));
  const counts = ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const;
  validateNonnegativeFields(spec, counts, at);
  validateJobSpec(spec.jobTemplate?.spec ?? {}, at.child('jobTemplate', 'spec'));
  const name = metadata?.name ?? '';
  if (name.length > maxCronJobName) {
    field.child('metadata', 'name').invalid(name, maxLengthText(maxCronJobName));
  }
}

function validateScheduleFormat({ schedule = '', timeZone }: Unvalidated<batch.CronJobSpec>, field: Field): void {
  if (schedule === '') {
    field.required();
    return;
  }
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) field.invalid(schedule, problem);
  if (!schedule.includes('TZ')) return;
  const detail =
    timeZone === undefined
      ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
      : 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  field.invalid(schedule, detail);
}

function validateTimeZone(timeZone: string, field: Field): void {
  if (timeZone === '') field.invalid(timeZone, 'timeZone must be nil or non-empty string');
  else if (timeZone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    field.invalid(timeZone, detail);
  } else if (!isTimeZone(timeZone)) field.invalid(timeZone, `unknown time zone ${timeZone}`);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
