import type * as batch from '../../../generated/v1.35/batch/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { internalPodTemplate } from '../core/pod/internal-types.ts';
import { validationOptionsFromPodTemplate } from '../core/pod/ratcheting.ts';
import { newTemplate, type PodValidationOptions } from '../core/pod/validation-options.ts';
import { immutableText, validateImmutableEnum } from '../validation/fields.ts';
import {
  hasInvalidLabelValueInLabelSelector,
  type Labels,
  labelSelectorHasInvalidLabelValue,
  labelSelectorMatches,
  shownLabels,
  shownLabelsOf,
  shownSelector,
  validateImmutableSelector,
  validateLabelSelector,
} from '../validation/labels.ts';
import { internalPodFailurePolicy, internalSuccessPolicy, validateJobSpec as validateSpec } from './job-spec.ts';

/** (pkg/apis/batch/validation/validation.go) */

type Job = Unvalidated<batch.Job>;
type JobSpec = Unvalidated<batch.JobSpec>;
type PodTemplate = JobSpec['template'];

export const controllerUidLabel = 'batch.kubernetes.io/controller-uid';
export const legacyControllerUidLabel = 'controller-uid';
export const jobNameLabel = 'batch.kubernetes.io/job-name';
export const legacyJobNameLabel = 'job-name';

/** (JobValidationOptions) */
interface JobValidationOptions {
  readonly pod: PodValidationOptions;
  /** Requires the labels that begin with batch.kubernetes.io. */
  readonly requirePrefixedLabels: boolean;
}

export function validateJobCreate(job: Job, field: Field): void {
  validateJob(job, field, { pod: newTemplate, requirePrefixedLabels: true });
}

/** Upstream validates the spec twice, and reports its errors twice. (ValidateJobUpdate, jobStrategy.ValidateUpdate) */
export function validateJobUpdate(job: Job, old: Job, field: Field): void {
  const options = validationOptionsForJob(old);
  const specErrors = validateJob(job, field, options);
  field.errors.push(...specErrors);
  validateJobSpecUpdate(job.spec ?? {}, old, field.child('spec'));
}

function validationOptionsForJob({ spec }: Job): JobValidationOptions {
  const pod = validationOptionsFromPodTemplate(spec?.template);
  const { labels = {} } = spec?.template?.metadata ?? {};
  return {
    pod: labelSelectorHasInvalidLabelValue(spec?.selector) ? { ...pod, allowInvalidLabelValueInSelector: true } : pod,
    requirePrefixedLabels: Object.hasOwn(labels, jobNameLabel) && Object.hasOwn(labels, controllerUidLabel),
  };
}

/** Returns the errors of the spec. */
function validateJob(job: Job, field: Field, options: JobValidationOptions): Field['errors'] {
  const { metadata, spec = {} } = job;
  validateGeneratedSelector(job, field, options);
  const before = field.errors.length;
  validateJobSpec(spec, field.child('spec'), options);
  const specErrors = field.errors.slice(before);
  const { completions = 0 } = spec;
  if (spec.completionMode === 'Indexed' && completions > 0) {
    const hostname = `${metadata?.name ?? ''}-${completions - 1}`;
    if (dnsLabel(hostname).length > 0) {
      const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
      field.child('metadata', 'name').invalid(metadata?.name ?? '', detail);
    }
  }
  return specErrors;
}

/** Without manualSelector, the template must have the generated labels, and the selector must match them. */
function validateGeneratedSelector({ metadata, spec = {} }: Job, field: Field, options: JobValidationOptions): void {
  const { selector, template } = spec;
  if (spec.manualSelector || !selector) return;
  const { uid = '', name = '' } = metadata ?? {};
  const expected: Record<string, string> = { [legacyControllerUidLabel]: uid, [legacyJobNameLabel]: name };
  if (options.requirePrefixedLabels) Object.assign(expected, { [controllerUidLabel]: uid, [jobNameLabel]: name });
  const labels = template?.metadata?.labels;
  const at = field.child('spec', 'template', 'metadata', 'labels');
  for (const [key, value] of Object.entries(expected)) validateHasLabel(labels, key, value, at);
  if (!hasInvalidLabelValueInLabelSelector(selector) && !labelSelectorMatches(selector, expected)) {
    field.child('spec', 'selector').invalid(shownSelector(selector), '`selector` not auto-generated');
  }
}

/** (ValidateHasLabel, pkg/apis/core/validation/validation.go) */
function validateHasLabel(labels: Labels | undefined, key: string, value: string, field: Field): void {
  if (!labels || !Object.hasOwn(labels, key)) field.key(key).required(`must be '${value}'`);
  else if (labels[key] !== value) field.key(key).invalid(shownLabels(labels), `must be '${value}'`);
}

/** The selector must match the labels of pods, whether generated or not. (ValidateJobSpec) */
function validateJobSpec(spec: JobSpec, field: Field, options: JobValidationOptions): void {
  const { selector, template } = spec;
  validateSpec(spec, field, options.pod);
  if (!selector) field.child('selector').required();
  else validateLabelSelector(selector, field.child('selector'), options.pod);
  const labels = template?.metadata?.labels;
  if (selector && (hasInvalidLabelValueInLabelSelector(selector) || labelSelectorMatches(selector, labels))) return;
  const detail = '`selector` does not match template `labels`';
  field.child('template', 'metadata', 'labels').invalid(shownLabelsOf(template?.metadata), detail);
}

/** (ValidateJobSpecUpdate) */
function validateJobSpecUpdate(spec: JobSpec, { spec: old = {}, status }: Job, field: Field): void {
  validateCompletions(spec, old, field);
  validateImmutableSelector(spec.selector, old.selector, field.child('selector'));
  const isSchedulingMutable = Boolean(old.suspend) && !status?.startTime;
  validatePodTemplateUpdate(spec.template, old.template, isSchedulingMutable, field.child('template'));
  validateImmutableEnum(spec.completionMode, old.completionMode, field.child('completionMode'));
  if (!equalPruned(spec.podFailurePolicy, old.podFailurePolicy)) {
    field.child('podFailurePolicy').invalid(internalPodFailurePolicy(spec.podFailurePolicy), immutableText);
  }
  validateImmutablePointer(spec.backoffLimitPerIndex, old.backoffLimitPerIndex, field.child('backoffLimitPerIndex'));
  validateImmutablePointer(spec.managedBy, old.managedBy, field.child('managedBy'));
  if (!equalPruned(spec.successPolicy, old.successPolicy)) {
    field.child('successPolicy').invalid(internalSuccessPolicy(spec.successPolicy), immutableText);
  }
}

/** Zero is not the same as absent. */
function validateImmutablePointer(value: unknown, old: unknown, field: Field): void {
  if (value !== old) field.invalid(value, immutableText);
}

/** An indexed job may be scaled if completions and parallelism stay equal. */
function validateCompletions(spec: JobSpec, old: JobSpec, field: Field): void {
  const { completions } = spec;
  const at = field.child('completions');
  if (spec.completionMode !== 'Indexed') validateImmutablePointer(completions, old.completions, at);
  else if (completions !== old.completions && completions !== undefined && completions !== spec.parallelism) {
    at.invalid(completions, 'can only be modified in tandem with spec.parallelism');
  }
}

/** A suspended job that never started may still change the scheduling of its pods. */
function validatePodTemplateUpdate(template: PodTemplate, old: PodTemplate, isSchedulingMutable: boolean, field: Field): void {
  if (equalPruned(template, old)) return;
  if (isSchedulingMutable && equalPruned(withoutScheduling(template), withoutScheduling(old))) return;
  field.invalid(internalPodTemplate(template ?? {}, field.rules), immutableText);
}

/** Returns a template without its labels, its annotations and its scheduling directives. */
function withoutScheduling(template: PodTemplate): PodTemplate {
  const { labels: _labels, annotations: _annotations, ...metadata } = template?.metadata ?? {};
  const { nodeSelector: _nodeSelector, tolerations: _tolerations, schedulingGates: _gates, affinity, ...spec } = template?.spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...others } = affinity ?? {};
  return { ...template, metadata, spec: { ...spec, ...(Object.keys(others).length === 0 ? {} : { affinity: others }) } };
}
