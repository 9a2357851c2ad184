import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { validatePodSpecificAnnotations } from './annotations.ts';
import { validateContainerOnlyForPod } from './containers.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validateAnnotationsMatchFields } from './profile-annotations.ts';
import { newPod, newTemplate, type PodValidationOptions } from './validation-options.ts';

/** Pods and pod templates. (pkg/apis/core/validation) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;
type PodTemplate = Unvalidated<core.PodTemplateSpec>;

/** (validatePodMetadataAndSpec) */
export function validatePodMetadataAndSpec(pod: Pod, field: Field, options: PodValidationOptions): void {
  const spec = pod.spec ?? {};
  const at = field.child('spec');
  validatePodSpecificAnnotations(pod.metadata?.annotations, spec, field.child('metadata', 'annotations'), options);
  validatePodSpec(spec, pod.metadata, at, options);
  if (!spec.serviceAccountName) forbidServiceAccountTokens(spec, at);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      validateContainerOnlyForPod(container, at.child(list).index(index));
    }
  }
}

/** (ValidatePodCreate) */
export function validatePodCreate(pod: Pod, field: Field): void {
  validatePodMetadataAndSpec(pod, field, newPod);
  const { ephemeralContainers, nodeName, schedulingGates } = pod.spec ?? {};
  const spec = field.child('spec');
  if (ephemeralContainers?.length) spec.child('ephemeralContainers').forbidden('cannot be set on create');
  if (nodeName && schedulingGates?.length) {
    spec.child('nodeName').forbidden('cannot be set until all schedulingGates have been cleared');
  }
  validateAnnotationsMatchFields(pod.metadata ?? {}, pod.spec ?? {}, spec);
}

function forbidServiceAccountTokens(spec: PodSpec, field: Field): void {
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [sourceIndex, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (!serviceAccountToken) continue;
      const source = field.child('volumes').index(index).child('projected', 'sources').index(sourceIndex);
      source.child('serviceAccountToken').forbidden('must not be specified when serviceAccountName is not set');
    }
  }
}

/** Errors name labels and annotations without `metadata`, as upstream's do. */
export function validatePodTemplateMetadata(template: PodTemplate | undefined, field: Field, options = newTemplate): void {
  const { labels, annotations } = template?.metadata ?? {};
  validateLabels(labels, field.child('labels'));
  validateAnnotations(annotations, field.child('annotations'));
  validatePodSpecificAnnotations(annotations, template?.spec ?? {}, field.child('annotations'), options);
}

/**
 * (ValidatePodTemplateSpec)
 *
 * @param options from ratcheting.ts if an old template exists
 */
export function validatePodTemplateSpec(template: PodTemplate | undefined, field: Field, options = newTemplate): void {
  validatePodTemplateMetadata(template, field, options);
  const spec = template?.spec ?? {};
  validatePodSpec(spec, undefined, field.child('spec'), options);
  validateAnnotationsMatchFields(template?.metadata ?? {}, spec, field.child('spec'));
  if (spec.ephemeralContainers?.length) {
    field.child('spec', 'ephemeralContainers').forbidden('ephemeral containers not allowed in pod template');
  }
}
