import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';

type VolumeAttachment = Unvalidated<storage.VolumeAttachment>;

/** (ValidateVolumeAttachment, pkg/apis/storage/validation/validation.go) */
export function validateVolumeAttachment({ spec = {} }: VolumeAttachment, field: Field): void {
  const { attacher = '', nodeName = '', source = {} } = spec;
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

export function validateVolumeAttachmentUpdate(
  attachment: VolumeAttachment,
  old: VolumeAttachment,
  field: Field,
): void {
  validateImmutableField(attachment.spec, old.spec, field.child('spec'));
}
