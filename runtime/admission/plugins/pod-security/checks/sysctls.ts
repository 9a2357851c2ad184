import type { Check, CheckPod } from './check.ts';

/** Sysctls that are namespaced and isolated from other pods of the node -> the version that first allows them. */
const allowed: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
]);

const checkOf =
  (version: number): CheckPod =>
  ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name);
    const forbidden = names.filter((name) => (allowed.get(name) ?? Number.POSITIVE_INFINITY) > version);
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };

/** Allows only safe sysctls. */
export const sysctls: Check = {
  id: 'sysctls',
  level: 'baseline',
  versions: [0, 27, 29, 32].map((minimumVersion) => ({ minimumVersion, checkPod: checkOf(minimumVersion) })),
};
