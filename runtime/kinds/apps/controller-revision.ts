import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';

export function validateControllerRevision(revision: Part, field: Field): void {
  if (revision.data === undefined) field.child('data').required('data is mandatory');
  validateNonnegativeField(revision.revision, field.child('revision'));
}

export function validateControllerRevisionUpdate(revision: Part, old: Part, field: Field): void {
  validateImmutableField(revision.data, old.data, field.child('data'));
}

/** As `daemonset.apps/node-exporter`. */
export function controllerRevisionOwner(revision: KubeObject): string {
  const owner = revision.metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}
