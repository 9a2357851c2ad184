import { ageOf } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { joinContainers } from '../printers/containers.ts';
import { formatLabelSelector } from '../printers/labels.ts';
import { type Errors, validateNonnegativeField } from '../validation/fields.ts';
import { maxLengthText } from '../validation/formats.ts';
import type { WarningRules } from '../warnings.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { validateJobSpec, warningsForJobsOf } from './job.ts';

export const cronJobSelector = (object: KubeObject): string =>
  formatLabelSelector(object.spec?.jobTemplate?.spec?.selector);
export const cronJobContainers = (object: KubeObject): string =>
  joinContainers(object.spec?.jobTemplate?.spec?.template?.spec, 'name');
export const cronJobImages = (object: KubeObject): string =>
  joinContainers(object.spec?.jobTemplate?.spec?.template?.spec, 'image');

export const cronJobSuspend = ({ spec }: KubeObject): string =>
  spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';
export const cronJobActive = ({ status }: KubeObject): number => status?.active?.length ?? 0;
export const cronJobLastSchedule = ({ status }: KubeObject, now: number): string =>
  status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>';

const jobTemplateWarnings = warningsForJobsOf(({ spec }) => spec?.jobTemplate?.spec, 'spec.jobTemplate.spec');

/** A time zone in the schedule is refused on creation. */
const zoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

export const cronJobWarnings: WarningRules = {
  onCreate: jobTemplateWarnings.onCreate,
  onUpdate(object, old) {
    const warnings = jobTemplateWarnings.onUpdate(object, old);
    return object.spec?.schedule?.includes('TZ') ? [...warnings, zoneInSchedule] : warnings;
  },
};

const maxCronJobName = 52;

export function validateCronJob(job: Part, path: FieldPath, errors: Errors): void {
  const spec = job.spec ?? {};
  const at = path.child('spec');
  validateSchedule(spec, at, errors);
  for (const name of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    validateNonnegativeField(spec[name], at.child(name), errors);
  }
  validateJobSpec(spec.jobTemplate?.spec ?? {}, at.child('jobTemplate', 'spec'), errors);
  const name = job.metadata?.name ?? '';
  if (name.length > maxCronJobName) {
    errors.push(invalid(path.child('metadata', 'name'), name, maxLengthText(maxCronJobName)));
  }
}

function validateSchedule({ schedule = '', timeZone }: Part, path: FieldPath, errors: Errors): void {
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
