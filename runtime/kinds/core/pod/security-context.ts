import type { Part } from '../../../machinery/object.ts';
import { duplicate, forbidden, invalid, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { type Errors, validateEnum } from '../../validation/fields.ts';
import { userId } from '../../validation/formats.ts';
import { validateLocalDescendingPath } from './volumes.ts';

/** Security contexts of pods and containers. (pkg/apis/core/validation) */

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateIDs(context: Part, names: readonly string[], path: FieldPath, errors: Errors): void {
  for (const name of names) {
    if (context[name] === undefined) continue;
    for (const message of userId(context[name])) errors.push(invalid(path.child(name), context[name], message));
  }
}

function validateSeccompProfile(profile: Part, path: FieldPath, errors: Errors): void {
  if (!profile) return;
  if (!profile.type) errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else validateEnum(profile.type, profileTypes, path.child('type'), errors);
  const at = path.child('localhostProfile');
  if (profile.type === 'Localhost') {
    if (profile.localhostProfile === undefined) {
      errors.push(required(at, 'must be set when seccomp type is Localhost'));
    } else validateLocalDescendingPath(profile.localhostProfile, at, errors);
  } else if (profile.localhostProfile !== undefined) {
    errors.push(invalid(at, profile, 'can only be set when seccomp type is Localhost'));
  }
}

function validateAppArmorProfile(profile: Part, path: FieldPath, errors: Errors): void {
  if (!profile) return;
  if (!profile.type) errors.push(required(path.child('type'), 'type is required when appArmorProfile is set'));
  else validateEnum(profile.type, profileTypes, path.child('type'), errors);
  const at = path.child('localhostProfile');
  const name = profile.localhostProfile;
  if (profile.type === 'Localhost') {
    if (!name?.trim()) errors.push(required(at, 'must be set when AppArmor type is Localhost'));
    else if (name.trim() !== name) errors.push(invalid(at, name, 'must not be padded with whitespace'));
  } else if (name !== undefined && profileTypes.includes(profile.type)) {
    errors.push(invalid(at, name, 'can only be set when AppArmor type is Localhost'));
  }
}

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(sysctls: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, { name }] of sysctls.entries()) {
    const at = path.index(index).child('name');
    if (!name) errors.push(required(at));
    else if (name.length > 253 || !sysctl.test(name)) {
      const regex = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
      errors.push(invalid(at, name, `must have at most 253 characters and match regex ${regex}`));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
}

function validateOptionalEnum(
  context: Part,
  name: string,
  values: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  if (context[name] !== undefined) validateEnum(context[name], values, path.child(name), errors);
}

export function validatePodSecurityContext(context: Part, spec: Part, path: FieldPath, errors: Errors): void {
  if (!context) return;
  validateIDs(context, ['fsGroup', 'runAsUser', 'runAsGroup'], path, errors);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    for (const message of userId(group)) {
      errors.push(invalid(path.child('supplementalGroups').index(index), group, message));
    }
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(path.child('shareProcessNamespace'), true, detail));
  }
  validateOptionalEnum(context, 'fsGroupChangePolicy', ['Always', 'OnRootMismatch'], path, errors);
  validateOptionalEnum(context, 'supplementalGroupsPolicy', ['Merge', 'Strict'], path, errors);
  validateOptionalEnum(context, 'seLinuxChangePolicy', ['MountOption', 'Recursive'], path, errors);
  validateSysctls(context.sysctls ?? [], path.child('sysctls'), errors);
  validateSeccompProfile(context.seccompProfile, path.child('seccompProfile'), errors);
  validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile'), errors);
}

export function validateSecurityContext(context: Part, hostUsers: boolean, path: FieldPath, errors: Errors): void {
  if (!context) return;
  validateIDs(context, ['runAsUser', 'runAsGroup'], path, errors);
  validateOptionalEnum(context, 'procMount', ['Default', 'Unmasked'], path, errors);
  if (hostUsers && context.procMount === 'Unmasked') {
    errors.push(invalid(path.child('procMount'), 'Unmasked', '`hostUsers` must be false to use `Unmasked`'));
  }
  validateSeccompProfile(context.seccompProfile, path.child('seccompProfile'), errors);
  if (context.allowPrivilegeEscalation === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    if (context.privileged) errors.push(invalid(path, context, `${cannot} \`privileged\` to true`));
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      errors.push(invalid(path, context, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile'), errors);
}

/** Pods with users of their own may not share the host's namespaces. */
export function validateHostUsers(spec: Part, path: FieldPath, errors: Errors): void {
  if (spec.hostUsers !== false) return;
  const names: readonly (readonly [field: string, shown: string])[] = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ];
  for (const [field, shown] of names) {
    if (spec[field]) errors.push(forbidden(path.child(shown), 'when `pod.Spec.HostUsers` is false'));
  }
}

const linuxOnlyOfPod = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
];
const linuxOnlyOfContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** What the other operating system does not know may not be asked for. */
export function validateOS(spec: Part, path: FieldPath, errors: Errors): void {
  if (!spec.os) return;
  const { name } = spec.os;
  if (!name) errors.push(required(path.child('os', 'name'), 'cannot be empty'));
  else validateEnum(name, ['linux', 'windows'], path.child('os'), errors);
  const forbid = (context: Part, names: readonly string[], at: FieldPath, detail: string): void => {
    for (const field of names) if (context?.[field] !== undefined) errors.push(forbidden(at.child(field), detail));
  };
  const windows = name === 'windows';
  if (!windows && name !== 'linux') return;
  const detail = windows ? 'cannot be set for a windows pod' : 'windows options cannot be set for a linux pod';
  forbid(spec.securityContext, windows ? linuxOnlyOfPod : ['windowsOptions'], path.child('securityContext'), detail);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const [index, { securityContext }] of (spec[list] ?? []).entries()) {
      const at = path.child(list).index(index).child('securityContext');
      forbid(securityContext, windows ? linuxOnlyOfContainer : ['windowsOptions'], at, detail);
    }
  }
}
