import type {
  AppArmorProfile,
  Container,
  EphemeralContainer,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateEnum, validateUserID } from '../../validation/fields.ts';
import { validateLocalDescendingPath } from './volumes.ts';

/** Security contexts of pods and containers. (pkg/apis/core/validation) */

type PodSecurity = Unvalidated<PodSecurityContext>;
type ContainerSecurity = Unvalidated<SecurityContext>;

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** (ValidatePodSecurityContext) */
export function validatePodSecurityContext(spec: Unvalidated<PodSpec>, field: Field): void {
  const context = spec.securityContext;
  if (!context) return;
  validateUserID(context.fsGroup, field.child('fsGroup'));
  validateUserID(context.runAsUser, field.child('runAsUser'));
  validateUserID(context.runAsGroup, field.child('runAsGroup'));
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    validateUserID(group, field.child('supplementalGroups').index(index));
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    field.child('shareProcessNamespace').invalid(true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  validateOptionalEnum(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], field.child('fsGroupChangePolicy'));
  const supplementalGroupsPolicy = field.child('supplementalGroupsPolicy');
  validateOptionalEnum(context.supplementalGroupsPolicy, ['Merge', 'Strict'], supplementalGroupsPolicy);
  validateOptionalEnum(context.seLinuxChangePolicy, ['MountOption', 'Recursive'], field.child('seLinuxChangePolicy'));
  validateSysctls(context.sysctls ?? [], field.child('sysctls'));
  validateSeccompProfile(context.seccompProfile, field.child('seccompProfile'));
  validateAppArmorProfile(context.appArmorProfile, field.child('appArmorProfile'));
}

function validateOptionalEnum(value: string | undefined, values: readonly string[], field: Field): void {
  if (value !== undefined) validateEnum(value, values, field);
}

const sysctlPattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlText =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function validateSysctls(sysctls: readonly Unvalidated<Sysctl>[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of sysctls.entries()) {
    const at = field.index(index).child('name');
    if (name === '') at.required();
    else if (name.length > 253 || !sysctlPattern.test(name)) at.invalid(name, sysctlText);
    else if (seen.has(name)) at.duplicate(name);
    seen.add(name);
  }
}

function validateSeccompProfile(profile: Unvalidated<SeccompProfile> | undefined, field: Field): void {
  if (!profile) return;
  const { type, localhostProfile } = profile;
  if (!type) field.child('type').required('type is required when seccompProfile is set');
  else validateEnum(type, profileTypes, field.child('type'));
  const at = field.child('localhostProfile');
  if (type === 'Localhost') {
    if (localhostProfile === undefined) at.required('must be set when seccomp type is Localhost');
    else validateLocalDescendingPath(localhostProfile, at);
  } else if (localhostProfile !== undefined) {
    at.invalid(profile, 'can only be set when seccomp type is Localhost');
  }
}

function validateAppArmorProfile(profile: Unvalidated<AppArmorProfile> | undefined, field: Field): void {
  if (!profile) return;
  const { type, localhostProfile } = profile;
  if (!type) field.child('type').required('type is required when appArmorProfile is set');
  else validateEnum(type, profileTypes, field.child('type'));
  const at = field.child('localhostProfile');
  if (type === 'Localhost') {
    if (!localhostProfile?.trim()) at.required('must be set when AppArmor type is Localhost');
    else if (localhostProfile.trim() !== localhostProfile) {
      at.invalid(localhostProfile, 'must not be padded with whitespace');
    }
  } else if (localhostProfile !== undefined && type !== undefined && profileTypes.includes(type)) {
    at.invalid(localhostProfile, 'can only be set when AppArmor type is Localhost');
  }
}

/**
 * (ValidateSecurityContext)
 *
 * @param hostUsers whether the pod runs in the user namespace of the host
 */
export function validateSecurityContext(
  context: ContainerSecurity | undefined,
  hostUsers: boolean,
  field: Field,
): void {
  if (!context) return;
  validateUserID(context.runAsUser, field.child('runAsUser'));
  validateUserID(context.runAsGroup, field.child('runAsGroup'));
  validateOptionalEnum(context.procMount, ['Default', 'Unmasked'], field.child('procMount'));
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

/** A pod in a user namespace of its own cannot share other namespaces with the host. (validateHostUsers) */
export function validateHostUsers(spec: Unvalidated<PodSpec>, field: Field): void {
  if (spec.hostUsers !== false) return;
  const detail = 'when `pod.Spec.HostUsers` is false';
  if (spec.hostNetwork) field.child('hostNetwork').forbidden(detail);
  if (spec.hostPID) field.child('HostPID').forbidden(detail);
  if (spec.hostIPC) field.child('HostIPC').forbidden(detail);
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
] as const satisfies readonly (keyof PodSecurityContext)[];
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
] as const satisfies readonly (keyof SecurityContext)[];

/** Fields for one operating system are forbidden in pods for the other. (validateOS, validateWindows, validateLinux) */
export function validateOS(spec: Unvalidated<PodSpec>, field: Field): void {
  if (!spec.os) return;
  const { name } = spec.os;
  if (!name) field.child('os', 'name').required('cannot be empty');
  else validateEnum(name, ['linux', 'windows'], field.child('os'));
  if (name !== 'windows' && name !== 'linux') return;
  const isWindows = name === 'windows';
  forbidPodFields(spec.securityContext, isWindows, field.child('securityContext'));
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers: readonly Unvalidated<Container | EphemeralContainer>[] = spec[list] ?? [];
    for (const [index, { securityContext }] of containers.entries()) {
      forbidContainerFields(securityContext, isWindows, field.child(list).index(index).child('securityContext'));
    }
  }
}

const notForWindows = 'cannot be set for a windows pod';
const notForLinux = 'windows options cannot be set for a linux pod';

function forbidPodFields(context: PodSecurity | undefined, isWindows: boolean, field: Field): void {
  if (!context) return;
  if (!isWindows) {
    if (context.windowsOptions !== undefined) field.child('windowsOptions').forbidden(notForLinux);
    return;
  }
  for (const name of linuxOnlyOfPod) if (context[name] !== undefined) field.child(name).forbidden(notForWindows);
}

function forbidContainerFields(context: ContainerSecurity | undefined, isWindows: boolean, field: Field): void {
  if (!context) return;
  if (!isWindows) {
    if (context.windowsOptions !== undefined) field.child('windowsOptions').forbidden(notForLinux);
    return;
  }
  for (const name of linuxOnlyOfContainer) if (context[name] !== undefined) field.child(name).forbidden(notForWindows);
}
