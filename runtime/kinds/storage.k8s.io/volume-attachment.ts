import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';

export function validateVolumeAttachment(attachment: Part, field: Field): void {
  const { attacher = '', nodeName = '', source = {} } = attachment.spec ?? {};
  const at = field.child('spec');
  if (attacher === '') at.child('attacher').required();
  if (nodeName === '') at.child('nodeName').required();
  const { inlineVolumeSpec, persistentVolumeName } = source;
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) {
    at.child('source').required('must specify exactly one of inlineVolumeSpec and persistentVolumeName');
  } else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) {
    at.child('source').forbidden('must specify exactly one of inlineVolumeSpec and persistentVolumeName');
  } else if (persistentVolumeName === '') at.child('source', 'persistentVolumeName').required();
}

export function validateVolumeAttachmentUpdate(attachment: Part, old: Part, field: Field): void {
  validateImmutableField(attachment.spec, old.spec, field.child('spec'));
}
