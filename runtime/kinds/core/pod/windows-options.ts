import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { GoPointer } from '../../../machinery/go/value.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { byteLength, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { visitContainersWithPath } from './container-visitor.ts';

/** Windows options of containers. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;

const maxCredentialSpecKiB = 64;

/** (validateWindowsSecurityContextOptions) */
export function validateWindowsSecurityContextOptions(
  options: Unvalidated<core.WindowsSecurityContextOptions> | undefined,
  field: Field,
): void {
  if (!options) return;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    for (const message of dnsSubdomain(gmsaCredentialSpecName)) {
      field.child('gmsaCredentialSpecName').invalid(new GoPointer(gmsaCredentialSpecName), message);
    }
  }
  if (gmsaCredentialSpec === '') {
    field.child('gmsaCredentialSpec').invalid('', 'gmsaCredentialSpec cannot be an empty string');
  } else if (gmsaCredentialSpec && byteLength(gmsaCredentialSpec) > maxCredentialSpecKiB * 1024) {
    const detail = `gmsaCredentialSpec size must be under ${maxCredentialSpecKiB} KiB`;
    field.child('gmsaCredentialSpec').invalid(new GoPointer(gmsaCredentialSpec), detail);
  }
  if (runAsUserName === undefined) return;
  const value = new GoPointer(runAsUserName);
  for (const message of windowsUserName(runAsUserName)) field.child('runAsUserName').invalid(value, message);
}

const maxDomain = 256;
const maxUser = 104;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const control = /[\u0000-\u001f\u007f]/;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const dnsName = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);

/** Returns the errors of `user` or `DOMAIN\user`. */
function windowsUserName(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (control.test(name)) return ['runAsUserName cannot contain control characters'];
  const backslash = name.indexOf('\\');
  if (backslash !== name.lastIndexOf('\\')) return ['runAsUserName cannot contain more than one backslash'];
  const user = name.slice(backslash + 1);
  return backslash === -1 ? userProblems(user) : [...domainProblems(name.slice(0, backslash)), ...userProblems(user)];
}

function domainProblems(domain: string): string[] {
  const problems: string[] = [];
  if (byteLength(domain) >= maxDomain) {
    problems.push(`runAsUserName's Domain length must be under ${maxDomain} characters`);
  }
  if (!netBios.test(domain) && !dnsName.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}

function userProblems(user: string): string[] {
  const problems: string[] = [];
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > maxUser) {
    problems.push(`runAsUserName's User length must not be longer than ${maxUser} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}

/**
 * If one container is a host process, all containers of the pod must be, in the host's network.
 * (validateWindowsHostProcessPod)
 */
export function validateWindowsHostProcessPod(spec: PodSpec, field: Field): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let hostProcesses = 0;
  visitContainersWithPath(spec, field, ({ securityContext }, at) => {
    count += 1;
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      at.child('securityContext', 'windowsOptions', 'hostProcess').invalid(own, detail);
    }
    if (own ?? ofPod) hostProcesses += 1;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== count) {
    field.invalid('', 'If pod contains any hostProcess containers then all containers must be HostProcess containers');
  }
  if (!spec.hostNetwork) {
    field.child('hostNetwork').invalid(false, 'hostNetwork must be true if pod contains any hostProcess containers');
  }
}
