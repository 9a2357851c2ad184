import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';
import { validateReplicaSetStatus } from './status.ts';
import { validateSelectorAndTemplate } from './workloads.ts';

type ReplicaSet = Unvalidated<apps.ReplicaSet>;

/** (pkg/registry/apps/replicaset/strategy.go) */
export const replicaSetStrategy: RESTStrategy = {
  validateCreate: ({ spec }: ReplicaSet, errors) =>
    validateReplicaSetSpec(spec, Field.at(FieldPath.of('spec'), errors)),
  validateUpdate({ spec, status }: ReplicaSet, old: ReplicaSet, errors, { part }) {
    if (part === 'status') {
      validateReplicaSetStatus(status, Field.at(FieldPath.of('status'), errors));
      return;
    }
    const at = Field.at(FieldPath.of('spec'), errors);
    validateReplicaSetSpec(spec, at);
    validateImmutableField(spec?.selector, old.spec?.selector, at.child('selector'));
  },
};

/** (ValidateReplicaSetSpec, pkg/apis/apps/validation/validation.go) */
function validateReplicaSetSpec(spec: ReplicaSet['spec'] = {}, field: Field): void {
  validateNonnegativeField(spec.replicas, field.child('replicas'));
  validateNonnegativeField(spec.minReadySeconds, field.child('minReadySeconds'));
  validateSelectorAndTemplate(spec, field);
}
