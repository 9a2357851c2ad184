import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateReplicaSetStatus } from '../apps/status.ts';
import { isChanged, templatePath, warningsForPodTemplate, workloadWarnings } from '../apps/workloads.ts';
import { validateEnum, validateNonnegativeField } from '../validation/fields.ts';
import { type Labels, labelSelectorMatches, setLabelsOfTemplate, shownLabelsOf } from '../validation/labels.ts';
import { validatedBy } from '../validation/validated-by.ts';
import { none, type WriteWarnings } from '../warnings.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

type Spec = Unvalidated<core.ReplicationControllerSpec>;
type ReplicationController = Unvalidated<core.ReplicationController>;

/** Selector and labels default to the labels of the template. (SetDefaults_ReplicationController) */
export function setReplicationControllerLabels(controller: ReplicationController): void {
  const { spec } = controller;
  const labels = spec?.template?.metadata?.labels;
  if (labels && isEmpty(spec.selector)) spec.selector = { ...labels };
  setLabelsOfTemplate(controller);
}

/** (ValidateReplicationController) */
function validateReplicationController(controller: ReplicationController, field: Field): void {
  const spec = controller.spec ?? {};
  const at = field.child('spec');
  validateNonnegativeField(spec.minReadySeconds, at.child('minReadySeconds'));
  if (isEmpty(spec.selector)) at.child('selector').required();
  validateNonnegativeField(spec.replicas, at.child('replicas'));
  validatePodTemplateSpecForRC(spec, at.child('template'));
}

const isEmpty = (selector: Labels | undefined): boolean => Object.keys(selector ?? {}).length === 0;

/** (ValidatePodTemplateSpecForRC) */
function validatePodTemplateSpecForRC({ selector, template }: Spec, field: Field): void {
  if (!template) {
    field.required();
    return;
  }
  const { metadata, spec } = template;
  if (!isEmpty(selector) && !labelSelectorMatches(defined({ matchLabels: selector }), metadata?.labels)) {
    const detail = '`selector` does not match template `labels`';
    field.child('metadata', 'labels').invalid(shownLabelsOf(metadata), detail);
  }
  validatePodTemplateSpec(template, field);
  validateEnum(spec?.restartPolicy ?? '', ['Always'], field.child('spec', 'restartPolicy'));
  if (spec?.activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicationController is not Supported';
    field.child('spec', 'activeDeadlineSeconds').forbidden(detail);
  }
}

/** (core.NonConvertibleAnnotationPrefix) */
const nonConvertible = 'non-convertible.kubernetes.io';

/** (ValidateReplicationControllerUpdate, and ValidateUpdate of pkg/registry/core/replicationcontroller/strategy.go) */
function validateReplicationControllerUpdate(controller: ReplicationController, old: ReplicationController, field: Field): void {
  validateReplicationController(controller, field);
  for (const [key, value] of Object.entries(old.metadata?.annotations ?? {})) {
    const [prefix, name, ...rest] = key.split('/');
    if (!prefix?.startsWith(nonConvertible) || name === undefined || rest.length > 0) continue;
    if (!name.includes('selector')) field.child(name).notFound(value, 'unknown non-convertible field');
    else if (!equalPruned(controller.spec?.selector, old.spec?.selector)) {
      field.child('spec', 'selector').invalid(controller.spec?.selector, 'cannot update non-convertible selector');
    }
  }
}

/** (pkg/registry/core/replicationcontroller/strategy.go) */
export const replicationControllerStrategy: RESTStrategy = {
  defaultGarbageCollectionPolicy: 'OrphanDependents',
  prepareForUpdate(controller: ReplicationController & KubeObject, _old, { part }) {
    if (part === 'status') setLabelsOfTemplate(controller);
  },
  ...validatedBy(validateReplicationController, validateReplicationControllerUpdate, ({ status }: ReplicationController, _old, field) =>
    validateReplicaSetStatus(status, field.child('status')),
  ),
};

/** On updates upstream mistakenly warns about the old template. (pkg/registry/core/replicationcontroller/strategy.go) */
export const replicationControllerWarnings: WriteWarnings<ReplicationController> = {
  ...workloadWarnings,
  warningsOnUpdate: (object, old) => (isChanged(object, old) ? warningsForPodTemplate(old.spec?.template, templatePath) : none),
};
