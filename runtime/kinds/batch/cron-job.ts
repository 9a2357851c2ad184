import { ageOf } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { containerImages, containerNames, formatLabelSelector } from '../printers.ts';
import { maxLengthText, validateNonnegativeField } from '../validation/fields.ts';
import type { WarningStrategy } from '../warnings.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { validateJobSpec, warningsForJobsOf } from './job.ts';

export const cronJobSelector = (object: KubeObject): string =>
  formatLabelSelector(object.spec?.jobTemplate?.spec?.selector);
export const cronJobContainers = (object: KubeObject): string =>
  containerNames(object.spec?.jobTemplate?.spec?.template?.spec);
export const cronJobImages = (object: KubeObject): string =>
  containerImages(object.spec?.jobTemplate?.spec?.template?.spec);

export const cronJobSuspend = ({ spec }: KubeObject): string =>
  spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';
export const cronJobActive = ({ status }: KubeObject): number => status?.active?.length ?? 0;
export const cronJobLastSchedule = ({ status }: KubeObject, now: number): string =>
  status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>';

const jobTemplateWarnings = warningsForJobsOf(({ spec }) => spec?.jobTemplate?.spec, 'spec.jobTemplate.spec');

/** A time zone in the schedule is refused on creation. */
const zoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

export const cronJobWarnings: WarningStrategy = {
  warningsOnCreate: jobTemplateWarnings.warningsOnCreate,
  warningsOnUpdate(object, old) {
    const warnings = jobTemplateWarnings.warningsOnUpdate(object, old);
    return object.spec?.schedule?.includes('TZ') ? [...warnings, zoneInSchedule] : warnings;
  },
};

const maxCronJobName = 52;

export function validateCronJob(job: Part, field: Field): void {
  const spec = job.spec ?? {};
  const at = field.child('spec');
  validateSchedule(spec, at);
  for (const name of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    validateNonnegativeField(spec[name], at.child(name));
  }
  validateJobSpec(spec.jobTemplate?.spec ?? {}, at.child('jobTemplate', 'spec'));
  const name = job.metadata?.name ?? '';
  if (name.length > maxCronJobName) {
    field.child('metadata', 'name').invalid(name, maxLengthText(maxCronJobName));
  }
}

function validateSchedule({ schedule = '', timeZone }: Part, path: Field): void {
  const at = path.child('schedule');
  if (schedule === '') at.required();
  else {
    const problem = scheduleProblem(schedule);
    if (problem !== undefined) at.invalid(schedule, problem);
    if (schedule.includes('TZ')) {
      const detail =
        timeZone === undefined
          ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
          : 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
      at.invalid(schedule, detail);
    }
  }
  if (timeZone === undefined) return;
  const zone = path.child('timeZone');
  if (timeZone === '') zone.invalid(timeZone, 'timeZone must be nil or non-empty string');
  else if (timeZone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    zone.invalid(timeZone, detail);
  } else if (!isTimeZone(timeZone)) zone.invalid(timeZone, `unknown time zone ${timeZone}`);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
