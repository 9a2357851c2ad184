import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { immutableText, validateNonnegativeField } from '../validation/fields.ts';

type ControllerRevision = Unvalidated<apps.ControllerRevision>;

/** (pkg/registry/apps/controllerrevision/strategy.go) */
export const controllerRevisionStrategy: RESTStrategy = {
  validateCreate(revision: ControllerRevision, errors) {
    const field = Field.at(FieldPath.root, errors);
    validateNonnegativeField(revision.revision, field.child('revision'));
    validateData(revision.data, field.child('data'));
  },
  validateUpdate(revision: ControllerRevision, old: ControllerRevision, errors) {
    const field = Field.at(FieldPath.root, errors);
    validateNonnegativeField(revision.revision, field.child('revision'));
    if (!equalJson(revision.data ?? null, old.data ?? null)) field.child('data').invalid(revision.data, immutableText);
  },
};

/** (ValidateControllerRevisionCreate, pkg/apis/apps/validation/validation.go) */
function validateData(data: unknown, field: Field): void {
  if (data === undefined || data === null) field.required('data is mandatory');
  else if (!isJsonObject(data)) field.required('data must be a valid JSON object');
}

/** Returns the controller of a revision, as `daemonset.apps/node-exporter`. (printControllerRevision) */
export function controllerRevisionOwner({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}
