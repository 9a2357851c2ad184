import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateEnum, validateUserID } from '../../validation/fields.ts';
import { internalStruct, type Shape } from '../../validation/internal-value.ts';
import { visitContainersWithPath } from './container-visitor.ts';
import { appArmorProfileShape, seccompProfileShape, validateAppArmorProfileField, validateSeccompProfileField } from './profiles.ts';
import { validateSysctls } from './sysctls.ts';
import type { PodValidationOptions } from './validation-options.ts';
import { validateWindowsSecurityContextOptions } from './windows-options.ts';

/** Security contexts of pods and containers. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;
type ContainerSecurity = Unvalidated<core.SecurityContext>;

const fsGroupChangePolicies = ['Always', 'OnRootMismatch'];
const supplementalGroupsPolicies = ['Merge', 'Strict'];
const seLinuxChangePolicies = ['MountOption', 'Recursive'];
/** The only policy for new objects while the gate SELinuxMount is off. */
const onlyRecursive = ['Recursive'];
const procMounts = ['Default', 'Unmasked'];

/** (validatePodSpecSecurityContext) */
export function validatePodSpecSecurityContext(spec: PodSpec, field: Field, options: PodValidationOptions): void {
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
  validateSysctls(spec, field.child('sysctls'), options);
  validateOptionalEnum(context.fsGroupChangePolicy, fsGroupChangePolicies, field.child('fsGroupChangePolicy'));
  validateSeccompProfileField(context.seccompProfile, field.child('seccompProfile'));
  validateWindowsSecurityContextOptions(context.windowsOptions, field.child('windowsOptions'));
  validateAppArmorProfileField(context.appArmorProfile, field.child('appArmorProfile'));
  const groupsPolicy = field.child('supplementalGroupsPolicy');
  validateOptionalEnum(context.supplementalGroupsPolicy, supplementalGroupsPolicies, groupsPolicy);
  const changePolicies = options.allowOnlyRecursiveSELinuxChangePolicy ? onlyRecursive : seLinuxChangePolicies;
  validateOptionalEnum(context.seLinuxChangePolicy, changePolicies, field.child('seLinuxChangePolicy'));
}

function validateOptionalEnum(value: string | undefined, values: readonly string[], field: Field): void {
  if (value !== undefined) validateEnum(value, values, field);
}

/** The members as Go shows them. (pkg/apis/core/types.go) */
const securityContextShape: Shape = {
  capabilities: { add: null, drop: null },
  privileged: null,
  seLinuxOptions: { user: '', role: '', type: '', level: '' },
  windowsOptions: { gmsaCredentialSpecName: null, gmsaCredentialSpec: null, runAsUserName: null, hostProcess: null },
  runAsUser: null,
  runAsGroup: null,
  runAsNonRoot: null,
  readOnlyRootFilesystem: null,
  allowPrivilegeEscalation: null,
  procMount: null,
  seccompProfile: seccompProfileShape,
  appArmorProfile: appArmorProfileShape,
};

/**
 * (ValidateSecurityContext)
 *
 * @param hostUsers whether the pod runs in the user namespace of the host
 */
export function validateSecurityContext(context: ContainerSecurity | undefined, hostUsers: boolean, field: Field): void {
  if (!context) return;
  validateUserID(context.runAsUser, field.child('runAsUser'));
  validateUserID(context.runAsGroup, field.child('runAsGroup'));
  validateOptionalEnum(context.procMount, procMounts, field.child('procMount'));
  if (hostUsers && context.procMount === 'Unmasked') {
    field.child('procMount').invalid('Unmasked', '`hostUsers` must be false to use `Unmasked`');
  }
  validateSeccompProfileField(context.seccompProfile, field.child('seccompProfile'));
  if (context.allowPrivilegeEscalation === false) validateEscalation(context, field);
  validateWindowsSecurityContextOptions(context.windowsOptions, field.child('windowsOptions'));
  validateAppArmorProfileField(context.appArmorProfile, field.child('appArmorProfile'));
}

function validateEscalation(context: ContainerSecurity, field: Field): void {
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  const value = internalStruct(context, securityContextShape);
  if (context.privileged) field.invalid(value, `${cannot} \`privileged\` to true`);
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') field.invalid(value, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`);
  }
}

/** A pod with its own user namespace cannot share other namespaces with the host. (validateHostUsers) */
export function validateHostUsers(spec: PodSpec, field: Field, options: PodValidationOptions): void {
  if (spec.hostUsers !== false) return;
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork && !options.allowUserNamespacesHostNetworkSupport) field.child('hostNetwork').forbidden(detail);
  if (spec.hostPID) field.child('HostPID').forbidden(detail);
  if (spec.hostIPC) field.child('HostIPC').forbidden(detail);
  if (options.allowUserNamespacesWithVolumeDevices) return;
  visitContainersWithPath(spec, field, ({ volumeDevices }, at) => {
    if (volumeDevices?.length) at.child('volumeDevices').forbidden(detail);
  });
}
