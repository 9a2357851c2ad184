import type { Field } from '../../machinery/validation/field.ts';
import { validateLun } from './volume-sources.ts';

/** iSCSI volumes. (pkg/apis/core/validation) */

interface ISCSI {
  readonly targetPortal?: string;
  readonly iqn?: string;
  readonly lun?: number;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: { readonly name?: string };
  readonly initiatorName?: string;
}

const prefixText = 'must be valid format starting with iqn, eui, or naa';
export const portalTooLongText =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Reports whether the volume's name and the portal together are too long. */
export const isPortalTooLong = (volume: string, { targetPortal = '', initiatorName }: ISCSI): boolean =>
  initiatorName !== undefined && Buffer.byteLength(volume) + 1 + Buffer.byteLength(targetPortal) > 64;

/** (validateISCSIVolumeSource) */
export function validateISCSIVolumeSource(source: ISCSI, field: Field): void {
  if (!source.targetPortal) field.child('targetPortal').required();
  validateISCSIMembers(source, prefixText, field);
}

/**
 * (validateISCSIPersistentVolumeSource)
 *
 * @param volume the name of the persistent volume
 */
export function validateISCSIPersistentVolumeSource(source: ISCSI, volume: string, field: Field): void {
  const { targetPortal = '' } = source;
  if (targetPortal === '') field.child('targetPortal').required();
  if (isPortalTooLong(volume, source)) field.child('targetportal').invalid(targetPortal, portalTooLongText);
  validateISCSIMembers(source, formatText, field);
  if (source.secretRef && !source.secretRef.name) field.child('secretRef', 'name').required();
}

/** @param wrongPrefix the message about names without a known prefix */
function validateISCSIMembers(source: ISCSI, wrongPrefix: string, field: Field): void {
  const { iqn, lun, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  if (!iqn) field.child('iqn').required();
  else validateName(iqn, wrongPrefix, field.child('iqn'));
  validateLun(lun, field.child('lun'));
  if ((chapAuthDiscovery || chapAuthSession) && !secretRef) field.child('secretRef').required();
  if (initiatorName !== undefined) validateName(initiatorName, wrongPrefix, field.child('initiatorname'));
}

const formatText = 'must be valid format';
const extendedUniqueIdentifier = /^eui[^\n][A-Za-z0-9]{16}$/u;
const networkAddressAuthority = /^naa[^\n][A-Za-z0-9]{32}$/u;

function validateName(name: string, wrongPrefix: string, field: Field): void {
  if (name.startsWith('iqn')) {
    if (!isQualifiedName(name)) field.invalid(name, formatText);
  } else if (name.startsWith('eui')) {
    if (!extendedUniqueIdentifier.test(name)) field.invalid(name, formatText);
  } else if (name.startsWith('naa')) {
    if (!networkAddressAuthority.test(name)) field.invalid(name, formatText);
  } else field.invalid(name, wrongPrefix);
}

/**
 * Reports whether the text ends with a match of `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`. A regular
 * expression would take quadratic time. (iscsiInitiatorIqnRegex)
 */
function isQualifiedName(name: string): boolean {
  const parts =
    name
      .split(/[,;*&$|\t\n\f\r ]/)
      .at(-1)
      ?.split(':') ?? [];
  const last = parts.length - 1;
  return parts.some((part, index) => {
    const isFollowed = index < last - 1 || (index === last - 1 && parts[last] !== '');
    return isFollowed && /iqn\.[0-9]{4}-[0-9]{2}\../.test(part.split(/[^A-Za-z0-9.-]/).at(-1) ?? '');
  });
}
