import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validationOptionsFromPodTemplate } from '../core/pod/ratcheting.ts';
import type { PodValidationOptions } from '../core/pod/validation-options.ts';
import { maxLengthText, validateEnum, validateNonnegativeField } from '../validation/fields.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { validateJobSpec } from './job-spec.ts';
import { isTimeZone } from './time-zone.ts';

/** (pkg/apis/batch/validation/validation.go) */

type CronJob = Unvalidated<batch.CronJob>;
type CronJobSpec = Unvalidated<batch.CronJobSpec>;

/** The names of a cron job's jobs end with a time of 11 characters. */
const maxCronJobName = 63 - 11;

export function validateCronJobCreate({ metadata, spec = {} }: CronJob, field: Field): void {
  validateCronJobSpec(spec, undefined, field.child('spec'));
  const { name = '' } = metadata ?? {};
  if (name.length > maxCronJobName) field.child('metadata', 'name').invalid(name, maxLengthText(maxCronJobName));
}

/** @param old undefined for a new cron job */
export function validateCronJobSpec(spec: CronJobSpec, old: CronJobSpec | undefined, field: Field): void {
  const { schedule = '', timeZone } = spec;
  if (schedule === '') field.child('schedule').required();
  else validateScheduleFormat(schedule, old?.schedule?.includes('TZ') ?? false, timeZone, field.child('schedule'));
  validateNonnegativeField(spec.startingDeadlineSeconds, field.child('startingDeadlineSeconds'));
  if (old === undefined || timeZone !== old.timeZone) validateTimeZone(timeZone, field.child('timeZone'));
  validateEnum(spec.concurrencyPolicy ?? '', ['Allow', 'Forbid', 'Replace'], field.child('concurrencyPolicy'));
  const options = validationOptionsFromPodTemplate(old?.jobTemplate?.spec?.template);
  validateJobTemplateSpec(spec.jobTemplate ?? {}, field.child('jobTemplate'), options);
  validateNonnegativeField(spec.successfulJobsHistoryLimit, field.child('successfulJobsHistoryLimit'));
  validateNonnegativeField(spec.failedJobsHistoryLimit, field.child('failedJobsHistoryLimit'));
}

/** A time zone in the schedule may stay if the old schedule has one. */
function validateScheduleFormat(schedule: string, allowTZInSchedule: boolean, timeZone: string | undefined, field: Field): void {
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) field.invalid(schedule, problem);
  if (!schedule.includes('TZ')) return;
  if (!allowTZInSchedule) {
    field.invalid(schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (timeZone !== undefined) {
    field.invalid(schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

const timeZonePart = /^(?!-|\.{1,2}$)[A-Za-z.\-_0-9+]{1,14}$/;

function validateTimeZone(timeZone: string | undefined, field: Field): void {
  if (timeZone === undefined) return;
  const unknown = `unknown time zone ${timeZone}`;
  if (timeZone === '') field.invalid(timeZone, 'timeZone must be nil or non-empty string');
  else if (!timeZone.split('/').every((part) => timeZonePart.test(part))) field.invalid(timeZone, unknown);
  else {
    if (timeZone.toLowerCase() === 'local') {
      const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
      field.invalid(timeZone, detail);
    }
    if (!isTimeZone(timeZone)) field.invalid(timeZone, unknown);
  }
}

function validateJobTemplateSpec({ spec = {} }: Unvalidated<batch.JobTemplateSpec>, field: Field, options: PodValidationOptions): void {
  const { selector, manualSelector } = spec;
  const at = field.child('spec');
  validateJobSpec(spec, at, options);
  if (selector) at.child('selector').invalid(selector, '`selector` will be auto-generated');
  if (manualSelector) at.child('manualSelector').notSupported(manualSelector, ['nil', 'false']);
}
