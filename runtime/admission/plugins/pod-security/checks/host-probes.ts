import { type AnyContainer, type Check, containersOf, containersText, joinQuote, nameOf, pluralize, sorted } from './check.ts';

/** Returns the hosts other than the pod that the kubelet connects to for a container. */
function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: AnyContainer): string[] {
  const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
  return handlers.flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host].flatMap((host) => (host ? [host] : [])));
}

/** Forbids probes and lifecycle hooks that connect to other hosts. */
export const hostProbesAndHostLifecycle: Check = {
  id: 'hostProbesAndHostLifecycle',
  level: 'baseline',
  versions: [
    {
      minimumVersion: 34,
      checkPod(pod) {
        const bad = containersOf(pod).filter((container) => hostsOf(container).length > 0);
        if (bad.length === 0) return undefined;
        const names = sorted(bad.map(nameOf));
        const hosts = sorted(bad.flatMap(hostsOf));
        const uses = pluralize('uses', 'use', names.length);
        const what = pluralize('probe or lifecycle host', 'probe or lifecycle hosts', hosts.length);
        return {
          reason: 'probe or lifecycle host',
          detail: `${containersText(names)} ${uses} ${what} ${joinQuote(hosts)}`,
        };
      },
    },
  ],
};
