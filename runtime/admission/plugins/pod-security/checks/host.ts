import { type Check, containersOf, containersText, joinQuote, nameOf, pluralize, settersText, sorted } from './check.ts';

/** Forbids sharing namespaces with the node. */
export const hostNamespaces: Check = {
  id: 'hostNamespaces',
  level: 'baseline',
  versions: [
    {
      minimumVersion: 0,
      checkPod({ spec }) {
        const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
        if (shared.length === 0) return undefined;
        return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
      },
    },
  ],
};

export const hostPathVolumesId = 'hostPathVolumes';

/** Forbids volumes with files of the node. */
export const hostPathVolumes: Check = {
  id: hostPathVolumesId,
  level: 'baseline',
  versions: [
    {
      minimumVersion: 0,
      checkPod({ spec }) {
        const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
        if (bad.length === 0) return undefined;
        const names = joinQuote(bad.map(nameOf));
        return { reason: 'hostPath volumes', detail: `${pluralize('volume', 'volumes', bad.length)} ${names}` };
      },
    },
  ],
};

/** Forbids ports of the node. */
export const hostPorts: Check = {
  id: 'hostPorts',
  level: 'baseline',
  versions: [
    {
      minimumVersion: 0,
      checkPod(pod) {
        const bad = containersOf(pod).filter(({ ports }) => ports?.some(({ hostPort }) => hostPort));
        if (bad.length === 0) return undefined;
        const all = bad.flatMap(({ ports = [] }) => ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])));
        const forbidden = sorted(all);
        const uses = pluralize('uses', 'use', bad.length);
        const what = pluralize('hostPort', 'hostPorts', forbidden.length);
        return {
          reason: 'hostPort',
          detail: `${containersText(bad.map(nameOf))} ${uses} ${what} ${forbidden.join(', ')}`,
        };
      },
    },
  ],
};

/** Forbids Windows containers that run as processes of the node. */
export const windowsHostProcess: Check = {
  id: 'windowsHostProcess',
  level: 'baseline',
  versions: [
    {
      minimumVersion: 0,
      checkPod(pod) {
        const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.windowsOptions?.hostProcess);
        const ofPod = pod.spec.securityContext?.windowsOptions?.hostProcess ?? false;
        const setters = settersText(ofPod, bad.map(nameOf));
        if (setters === '') return undefined;
        return {
          reason: 'hostProcess',
          detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
        };
      },
    },
  ],
};
