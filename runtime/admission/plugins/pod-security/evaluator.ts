import { allowPrivilegeEscalation } from './checks/allow-privilege-escalation.ts';
import { appArmorProfile } from './checks/app-armor-profile.ts';
import { capabilitiesBaseline, capabilitiesRestricted } from './checks/capabilities.ts';
import type { Check, CheckedPod, CheckPod, Forbidden, VersionedCheck } from './checks/check.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, windowsHostProcess } from './checks/host.ts';
import { hostProbesAndHostLifecycle } from './checks/host-probes.ts';
import { privileged } from './checks/privileged.ts';
import { procMountBaseline, procMountRestricted } from './checks/proc-mount.ts';
import { restrictedVolumes } from './checks/restricted-volumes.ts';
import { runAsNonRoot, runAsUser } from './checks/run-as.ts';
import { seLinuxOptions } from './checks/se-linux-options.ts';
import { seccompProfileBaseline, seccompProfileRestricted } from './checks/seccomp-profile.ts';
import { sysctls } from './checks/sysctls.ts';
import { type LevelVersion, levelVersionText, type Minor } from './policy.ts';

/** All checks in the order in which messages name them: baseline before restricted, each sorted by id. */
const allChecks: readonly Check[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndHostLifecycle,
  privileged,
  procMountBaseline,
  seLinuxOptions,
  seccompProfileBaseline,
  sysctls,
  windowsHostProcess,
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileRestricted,
];

/** The last version in which a check changed. Newer versions equal it. */
const maxVersion: Minor = Math.max(...allChecks.flatMap(({ versions }) => versions.map((one) => one.minimumVersion)));

const checksByPolicy = new Map<string, readonly CheckPod[]>();

/**
 * Returns the violations of a pod at a level and version, in the order of the checks; empty if it is allowed.
 * (EvaluatePod)
 */
export function evaluatePod({ level, version }: LevelVersion, pod: CheckedPod): readonly Forbidden[] {
  if (level === 'privileged') return [];
  const policy = { level, version: Math.min(version, maxVersion) };
  const key = levelVersionText(policy);
  let checks = checksByPolicy.get(key);
  if (checks === undefined) {
    checks = checksOf(policy);
    checksByPolicy.set(key, checks);
  }
  return checks.flatMap((check) => check(pod) ?? []);
}

function checksOf({ level, version }: LevelVersion): CheckPod[] {
  const applying = allChecks.flatMap(({ id, level: of, versions }) => {
    const check = versions.findLast(({ minimumVersion }) => minimumVersion <= version);
    return check === undefined || (of === 'restricted' && level === 'baseline') ? [] : [{ id, check }];
  });
  const overridden = new Set(applying.flatMap(({ check }: { check: VersionedCheck }) => check.overrides ?? []));
  return applying.filter(({ id }) => !overridden.has(id)).map(({ check }) => check.checkPod);
}

/** Returns `host namespaces, privileged`. */
export const forbiddenReason = (found: readonly Forbidden[]): string => found.map(({ reason }) => reason).join(', ');

/**
 * Returns `host namespaces (hostNetwork=true), privileged (container "c" must not set
 * securityContext.privileged=true)`.
 */
export const forbiddenDetail = (found: readonly Forbidden[]): string =>
  found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
