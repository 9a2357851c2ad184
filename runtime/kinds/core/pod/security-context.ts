import type { Part } from '../../../machinery/object.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateEnum } from '../../validation/fields.ts';
import { userId } from '../../validation/formats.ts';
import { validateLocalDescendingPath } from './volumes.ts';

/** Security contexts of pods and containers. (pkg/apis/core/validation) */

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateIDs(context: Part, names: readonly string[], field: Field): void {
  for (const name of names) {
    if (context[name] === undefined) continue;
    for (const message of userId(context[name])) field.child(name).invalid(context[name], message);
  }
}

function validateSeccompProfile(profile: Part, field: Field): void {
  if (!profile) return;
  if (!profile.type) field.child('type').required('type is required when seccompProfile is set');
  else validateEnum(profile.type, profileTypes, field.child('type'));
  const at = field.child('localhostProfile');
  if (profile.type === 'Localhost') {
    if (profile.localhostProfile === undefined) {
      at.required('must be set when seccomp type is Localhost');
    } else validateLocalDescendingPath(profile.localhostProfile, at);
  } else if (profile.localhostProfile !== undefined) {
    at.invalid(profile, 'can only be set when seccomp type is Localhost');
  }
}

function validateAppArmorProfile(profile: Part, field: Field): void {
  if (!profile) return;
  if (!profile.type) field.child('type').required('type is required when appArmorProfile is set');
  else validateEnum(profile.type, profileTypes, field.child('type'));
  const at = field.child('localhostProfile');
  const name = profile.localhostProfile;
  if (profile.type === 'Localhost') {
    if (!name?.trim()) at.required('must be set when AppArmor type is Localhost');
    else if (name.trim() !== name) at.invalid(name, 'must not be padded with whitespace');
  } else if (name !== undefined && profileTypes.includes(profile.type)) {
    at.invalid(name, 'can only be set when AppArmor type is Localhost');
  }
}

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(sysctls: readonly Part[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, { name }] of sysctls.entries()) {
    const at = field.index(index).child('name');
    if (!name) at.required();
    else if (name.length > 253 || !sysctl.test(name)) {
      const regex = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
      at.invalid(name, `must have at most 253 characters and match regex ${regex}`);
    } else if (seen.has(name)) at.duplicate(name);
    seen.add(name);
  }
}

function validateOptionalEnum(context: Part, name: string, values: readonly string[], field: Field): void {
  if (context[name] !== undefined) validateEnum(context[name], values, field.child(name));
}

export function validatePodSecurityContext(context: Part, spec: Part, field: Field): void {
  if (!context) return;
  validateIDs(context, ['fsGroup', 'runAsUser', 'runAsGroup'], field);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    for (const message of userId(group)) {
      field.child('supplementalGroups').index(index).invalid(group, message);
    }
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    field.child('shareProcessNamespace').invalid(true, detail);
  }
  validateOptionalEnum(context, 'fsGroupChangePolicy', ['Always', 'OnRootMismatch'], field);
  validateOptionalEnum(context, 'supplementalGroupsPolicy', ['Merge', 'Strict'], field);
  validateOptionalEnum(context, 'seLinuxChangePolicy', ['MountOption', 'Recursive'], field);
  validateSysctls(context.sysctls ?? [], field.child('sysctls'));
  validateSeccompProfile(context.seccompProfile, field.child('seccompProfile'));
  validateAppArmorProfile(context.appArmorProfile, field.child('appArmorProfile'));
}

export function validateSecurityContext(context: Part, hostUsers: boolean, field: Field): void {
  if (!context) return;
  validateIDs(context, ['runAsUser', 'runAsGroup'], field);
  validateOptionalEnum(context, 'procMount', ['Default', 'Unmasked'], field);
  if (hostUsers && context.procMount === 'Unmasked') {
    field.child('procMount').invalid('Unmasked', '`hostUsers` must be false to use `Unmasked`');
  }
  validateSeccompProfile(context.seccompProfile, field.child('seccompProfile'));
  if (context.allowPrivilegeEscalation === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    if (context.privileged) field.invalid(context, `${cannot} \`privileged\` to true`);
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      field.invalid(context, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`);
    }
  }
  validateAppArmorProfile(context.appArmorProfile, field.child('appArmorProfile'));
}

/** Pods with users of their own may not share the host's namespaces. */
export function validateHostUsers(spec: Part, path: Field): void {
  if (spec.hostUsers !== false) return;
  const names: readonly (readonly [field: string, shown: string])[] = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ];
  for (const [field, shown] of names) {
    if (spec[field]) path.child(shown).forbidden('when `pod.Spec.HostUsers` is false');
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
export function validateOS(spec: Part, path: Field): void {
  if (!spec.os) return;
  const { name } = spec.os;
  if (!name) path.child('os', 'name').required('cannot be empty');
  else validateEnum(name, ['linux', 'windows'], path.child('os'));
  const forbid = (context: Part, names: readonly string[], at: Field, detail: string): void => {
    for (const field of names) if (context?.[field] !== undefined) at.child(field).forbidden(detail);
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
