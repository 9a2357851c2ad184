import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { byteLength, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateCSIDriverName } from '../core/csi-driver-name.ts';
import { validateInlinePersistentVolumeSpec } from '../core/persistent-volume-spec.ts';
import { objectReference, persistentVolumeSource } from '../core/volume-source-shapes.ts';
import { immutableText, rangeText, validateFormat } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';

type VolumeAttachment = Unvalidated<storage.VolumeAttachment>;

/** (pkg/registry/storage/volumeattachment/strategy.go) */
export const volumeAttachmentStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validate: (attachment: VolumeAttachment, errors) => validateVolumeAttachment(attachment, Field.at(FieldPath.root, errors)),
  /** (ValidateVolumeAttachmentV1) */
  validateCreate({ spec }: VolumeAttachment, errors) {
    const field = Field.at(FieldPath.of('spec'), errors);
    validateCSIDriverName(spec?.attacher, field.child('attacher'));
    const name = spec?.source?.persistentVolumeName;
    if (name !== undefined) validateFormat(name, dnsSubdomain, field.child('source', 'persistentVolumeName'));
  },
  /** (ValidateVolumeAttachmentUpdate) */
  validateUpdate({ spec }: VolumeAttachment, old: VolumeAttachment, errors) {
    if (equalPruned(spec, old.spec)) return;
    Field.at(FieldPath.of('spec'), errors).invalid(internalStruct(spec, specShape), immutableText);
  },
};

/** (ValidateVolumeAttachment) */
function validateVolumeAttachment({ spec = {}, status = {} }: VolumeAttachment, field: Field): void {
  const at = field.child('spec');
  if (!spec.attacher) at.child('attacher').required();
  validateVolumeAttachmentSource(spec.source ?? {}, at.child('source'));
  validateFormat(spec.nodeName ?? '', dnsSubdomain, at.child('nodeName'));
  validateAttachmentMetadata(status.attachmentMetadata, field.child('status', 'attachmentMetadata'));
  validateVolumeError(status.attachError, field.child('status', 'attachError'));
  validateVolumeError(status.detachError, field.child('status', 'detachError'));
}

/** (validateVolumeAttachmentSource) */
function validateVolumeAttachmentSource(
  { inlineVolumeSpec, persistentVolumeName }: Unvalidated<storage.VolumeAttachmentSource>,
  field: Field,
): void {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inlineVolumeSpec !== undefined) {
    if (persistentVolumeName !== undefined) field.forbidden(detail);
    else validateInlinePersistentVolumeSpec(inlineVolumeSpec, field.child('inlineVolumeSpec'));
  } else if (persistentVolumeName === undefined) field.required(detail);
  else if (persistentVolumeName === '') {
    field.child('persistentVolumeName').required('must specify non empty persistentVolumeName');
  }
}

/** The maximum size of all names and values, in bytes. */
const maxAttachedVolumeMetadataSize = 256 * 1024;
const maxVolumeErrorMessageSize = 1024;

/** (validateAttachmentMetadata) */
function validateAttachmentMetadata(metadata: Readonly<Record<string, string>> | undefined, field: Field): void {
  let size = 0;
  for (const [name, value] of Object.entries(metadata ?? {})) size += byteLength(name) + byteLength(value);
  if (size > maxAttachedVolumeMetadataSize) field.tooLong('', maxAttachedVolumeMetadataSize);
}

/** (validateVolumeError) */
function validateVolumeError(error: Unvalidated<storage.VolumeError> | undefined, field: Field): void {
  if (!error) return;
  // upstream names the wrong limit
  if (byteLength(error.message ?? '') > maxVolumeErrorMessageSize) {
    field.child('message').tooLong('', maxAttachedVolumeMetadataSize);
  }
  if (error.errorCode !== undefined && error.errorCode < 0) {
    field.child('errorCode').invalid(error.errorCode, rangeText(0, maxInt32));
  }
}

const requirement: Shape = { key: '', operator: '', values: null };

/** The members of inline volumes, which have no capacity, claim or affinity. */
const inlineVolumeSpec: Shape = {
  capacity: null,
  ...persistentVolumeSource,
  accessModes: null,
  claimRef: objectReference,
  persistentVolumeReclaimPolicy: '',
  storageClassName: '',
  mountOptions: null,
  volumeMode: null,
  nodeAffinity: { required: { nodeSelectorTerms: { matchExpressions: requirement, matchFields: requirement } } },
  volumeAttributesClassName: null,
};
const specShape: Shape = {
  attacher: '',
  source: [{ persistentVolumeName: null, inlineVolumeSpec }],
  nodeName: '',
};
