import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';

type ControllerRevision = Unvalidated<apps.ControllerRevision>;

export function validateControllerRevision(revision: ControllerRevision, field: Field): void {
  if (revision.data === undefined) field.child('data').required('data is mandatory');
  validateNonnegativeField(revision.revision, field.child('revision'));
}

export function validateControllerRevisionUpdate(
  revision: ControllerRevision,
  old: ControllerRevision,
  field: Field,
): void {
  validateImmutableField(revision.data, old.data, field.child('data'));
}

/** The controller of a revision, such as `daemonset.apps/node-exporter`. (printControllerRevision) */
export function controllerRevisionOwner({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}
