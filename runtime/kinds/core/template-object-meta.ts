import type { ObjectMeta } from '../../machinery/object.ts';
import { droppedMember } from '../../machinery/prune/dropped-values.ts';
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
    // a pointer to 0 is set, too
    const isSet = metadata[member] || (member === 'deletionGracePeriodSeconds' && metadata[member] === 0);
    // Go's name of the field, with a small first letter
    if (isSet || droppedMember(metadata, member) !== undefined) field.child(member === 'uid' ? 'uID' : member).forbidden('cannot be set');
  }
}
