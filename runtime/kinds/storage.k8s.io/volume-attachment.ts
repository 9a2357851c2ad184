import type { Part } from '../../machinery/object.ts';
import { forbidden, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateImmutableField } from '../validation/fields.ts';

export function validateVolumeAttachment(attachment: Part, path: FieldPath, errors: Errors): void {
  const { attacher = '', nodeName = '', source = {} } = attachment.spec ?? {};
  const at = path.child('spec');
  if (attacher === '') errors.push(required(at.child('attacher')));
  if (nodeName === '') errors.push(required(at.child('nodeName')));
  const { inlineVolumeSpec, persistentVolumeName } = source;
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) {
    errors.push(required(at.child('source'), 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) {
    errors.push(forbidden(at.child('source'), 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (persistentVolumeName === '') errors.push(required(at.child('source', 'persistentVolumeName')));
}

export function validateVolumeAttachmentUpdate(attachment: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableField(attachment.spec, old.spec, path.child('spec'), errors);
}
