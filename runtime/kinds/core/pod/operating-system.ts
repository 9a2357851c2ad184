import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { visitContainersWithPath } from './container-visitor.ts';

/** Fields for one operating system are forbidden in pods for another. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;

const names = ['linux', 'windows'];

/** (validateOS) */
export function validateOS(spec: PodSpec, field: Field): void {
  if (!spec.os) return;
  const { name } = spec.os;
  if (!name) field.child('os', 'name').required();
  else if (!names.includes(name)) field.child('os').notSupported(name, names);
  else if (name === 'linux') validateLinux(spec, field);
  else validateWindows(spec, field);
}

const notForLinux = 'windows options cannot be set for a linux pod';

/** (validateLinux) */
function validateLinux(spec: PodSpec, field: Field): void {
  if (spec.securityContext?.windowsOptions) field.child('securityContext', 'windowsOptions').forbidden(notForLinux);
  visitContainersWithPath(spec, field, ({ securityContext }, at) => {
    if (securityContext?.windowsOptions) at.child('securityContext', 'windowsOptions').forbidden(notForLinux);
  });
}

const notForWindows = 'cannot be set for a windows pod';

/** Members of the security context, and members of the pod that upstream keeps there. */
const linuxOnlyOfPod = [
  'appArmorProfile',
  'seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;

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
] as const satisfies readonly (keyof core.SecurityContext)[];

/** (validateWindows) */
function validateWindows(spec: PodSpec, field: Field): void {
  for (const name of linuxOnlyOfPod) {
    switch (name) {
      case 'hostPID':
      case 'hostIPC':
        if (spec[name]) field.child(name).forbidden(notForWindows);
        break;
      case 'hostUsers':
      case 'shareProcessNamespace':
        if (spec[name] !== undefined) field.child(name).forbidden(notForWindows);
        break;
      default:
        if (spec.securityContext?.[name] !== undefined) {
          field.child('securityContext', name).forbidden(notForWindows);
        }
    }
  }
  visitContainersWithPath(spec, field, ({ securityContext }, at) => {
    if (!securityContext) return;
    for (const name of linuxOnlyOfContainer) {
      if (securityContext[name] !== undefined) at.child('securityContext', name).forbidden(notForWindows);
    }
  });
}
