import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validationOptionsFromPodTemplate } from '../core/pod/ratcheting.ts';
import { newTemplate, type PodValidationOptions } from '../core/pod/validation-options.ts';
import { validateNonnegativeField } from '../validation/fields.ts';
import { validateImmutableSelector } from '../validation/labels.ts';
import { validateReplicaSetStatus } from './status.ts';
import { setZeroReplicas, validateSelectorAndTemplate } from './workloads.ts';

type ReplicaSet = Unvalidated<apps.ReplicaSet>;

/** (pkg/registry/apps/replicaset/strategy.go) */
export const replicaSetStrategy: RESTStrategy = {
  afterDecoding: setZeroReplicas,
  validateCreate: ({ spec }: ReplicaSet, errors) => validateReplicaSetSpec(spec, Field.at(FieldPath.of('spec'), errors), newTemplate),
  validateUpdate({ spec, status }: ReplicaSet, old: ReplicaSet, errors, { part }) {
    if (part === 'status') {
      validateReplicaSetStatus(status, Field.at(FieldPath.of('status'), errors));
      return;
    }
    const at = Field.at(FieldPath.of('spec'), errors);
    validateReplicaSetSpec(spec, at, validationOptionsFromPodTemplate(old.spec?.template));
    validateImmutableSelector(spec?.selector, old.spec?.selector, at.child('selector'));
  },
};

/** (ValidateReplicaSetSpec, pkg/apis/apps/validation/validation.go) */
function validateReplicaSetSpec(spec: ReplicaSet['spec'] = {}, field: Field, options: PodValidationOptions): void {
  validateNonnegativeField(spec.replicas, field.child('replicas'));
  validateNonnegativeField(spec.minReadySeconds, field.child('minReadySeconds'));
  validateSelectorAndTemplate(spec, field, options);
}
