import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { isPadded } from '../../../machinery/go/spaces.ts';
import { GoPointer } from '../../../machinery/go/value.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { byteLength } from '../../../machinery/validation/name-formats.ts';
import { validateEnum } from '../../validation/fields.ts';
import { internalStruct } from '../../validation/internal-value.ts';
import { validateLocalDescendingPath } from '../volume-sources.ts';

/** Fields with seccomp and AppArmor profiles. (pkg/apis/core/validation) */

const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
export const seccompProfileShape = { type: '', localhostProfile: null };
export const appArmorProfileShape = seccompProfileShape;

/** (validateSeccompProfileField) */
export function validateSeccompProfileField(profile: Unvalidated<core.SeccompProfile> | undefined, field: Field): void {
  if (!profile) return;
  const { type, localhostProfile } = profile;
  if (!type) field.child('type').required('type is required when seccompProfile is set');
  else validateEnum(type, types, field.child('type'));
  const at = field.child('localhostProfile');
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    at.invalid(internalStruct(profile, seccompProfileShape), 'can only be set when seccomp type is Localhost');
  } else if (localhostProfile === undefined) at.required('must be set when seccomp type is Localhost');
  else validateLocalDescendingPath(localhostProfile, at);
}

/** The maximum length in bytes: a path without its terminator. */
const maxAppArmorProfile = 4095;

/** (ValidateAppArmorProfileField) */
export function validateAppArmorProfileField(profile: Unvalidated<core.AppArmorProfile> | undefined, field: Field): void {
  if (!profile) return;
  const { type, localhostProfile } = profile;
  const at = field.child('localhostProfile');
  if (type === 'Localhost') validateAppArmorLocalhostProfile(localhostProfile, at);
  else if (!type) field.child('type').required('type is required when appArmorProfile is set');
  else if (!types.includes(type)) field.child('type').notSupported(type, types);
  else if (localhostProfile !== undefined) {
    at.invalid(new GoPointer(localhostProfile), 'can only be set when AppArmor type is Localhost');
  }
}

function validateAppArmorLocalhostProfile(profile: string | undefined, field: Field): void {
  const required = 'must be set when AppArmor type is Localhost';
  if (profile === undefined) {
    field.required(required);
    return;
  }
  if (isPadded(profile)) field.invalid(profile, 'must not be padded with whitespace');
  else if (profile === '') field.required(required);
  if (byteLength(profile) > maxAppArmorProfile) field.tooLong('', maxAppArmorProfile);
}
