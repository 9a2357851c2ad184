import type { KubeObject, Part } from '../../machinery/object.ts';
import { required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';

export function validateControllerRevision(revision: Part, path: FieldPath, errors: Errors): void {
  if (revision.data === undefined) errors.push(required(path.child('data'), 'data is mandatory'));
  validateNonnegativeField(revision.revision, path.child('revision'), errors);
}

export function validateControllerRevisionUpdate(revision: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableField(revision.data, old.data, path.child('data'), errors);
}

/** As `daemonset.apps/node-exporter`. */
export function controllerRevisionOwner(revision: KubeObject): string {
  const owner = revision.metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}
