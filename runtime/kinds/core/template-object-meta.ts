import type { ObjectMeta } from '../../machinery/object.ts';
import { memberOrDropped } from '../../machinery/prune/dropped-values.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateAnnotations, validateLabels } from '../validation/labels.ts';

/** Members of metadata that are forbidden in a template, in Go's order. */
const forbiddenMembers = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const satisfies readonly (keyof ObjectMeta)[];

/**
 * The metadata of templates for claims of volumes and devices. (pkg/apis/core/validation, ValidateTemplateObjectMeta)
 */
export function validateTemplateObjectMeta(metadata: Partial<ObjectMeta>, field: Field): void {
  validateAnnotations(metadata.annotations, field.child('annotations'));
  validateLabels(metadata.labels, field.child('labels'));
  for (const member of forbiddenMembers) {
    // pruning keeps the zero values of pointers only, which are set
    if (memberOrDropped(metadata, member) === undefined) continue;
    // Go's name of the field, with a small first letter
    field.child(member === 'uid' ? 'uID' : member).forbidden('cannot be set');
  }
}
