import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** Kernel parameters of a pod. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;

const maxLength = 253;
const pattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const text = 'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

/** (validateSysctls) */
export function validateSysctls(spec: PodSpec, field: Field, options: PodValidationOptions): void {
  const sysctls = spec.securityContext?.sysctls;
  if (!sysctls?.length) return;
  const seen = new Set<string>();
  for (const [index, { name = '' }] of sysctls.entries()) {
    const at = field.index(index).child('name');
    if (name === '') at.required();
    else if (name.length > maxLength || !pattern.test(name)) at.invalid(name, text);
    else if (seen.has(name)) at.duplicate(name);
    seen.add(name);
    if (options.allowNamespacedSysctlsForHostNetAndHostIPC) continue;
    const problem = hostSysctlProblem(name, spec);
    if (problem !== undefined) at.invalid(name, problem);
  }
}

/** Returns an error for a parameter of a namespace that the pod shares with its host. (ValidateHostSysctl) */
export function hostSysctlProblem(name: string, { hostNetwork, hostIPC }: PodSpec): string | undefined {
  const namespace = namespaceOf(name);
  if (hostNetwork && namespace === 'net') return "may not be specified when 'hostNetwork' is true";
  if (hostIPC && namespace === 'ipc') return "may not be specified when 'hostIPC' is true";
  return undefined;
}

const ipcPrefixes = ['kernel.shm', 'kernel.msg', 'fs.mqueue.'];

/** (component-helpers node/util/sysctl, GetNamespace) */
function namespaceOf(name: string): 'net' | 'ipc' | undefined {
  const normalized = normalizeName(name);
  if (normalized.startsWith('net.')) return 'net';
  const isIPC = normalized === 'kernel.sem' || ipcPrefixes.some((prefix) => normalized.startsWith(prefix));
  return isIPC ? 'ipc' : undefined;
}

/**
 * Returns the name with dots between its parts. The first dot or slash of the name is its separator. (NormalizeName)
 */
function normalizeName(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === '/' ? name.replace(/[./]/g, (char) => (char === '.' ? '/' : '.')) : name;
}
