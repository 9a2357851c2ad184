import { describe, expect, test } from '@jest/globals';
import type { CheckedPod } from '../../../../runtime/admission/plugins/pod-security/checks/check.ts';
import { evaluatePod, forbiddenDetail } from '../../../../runtime/admission/plugins/pod-security/evaluator.ts';
import { type Level, latest } from '../../../../runtime/admission/plugins/pod-security/policy.ts';

const secured = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

interface Parts {
  readonly spec?: object;
  readonly containers?: readonly object[];
  readonly annotations?: Record<string, string>;
}

/** Returns a pod that restricted allows, with containers a, b and so on and their given fields. */
function podOf({ spec = {}, containers = [{}], annotations = {} }: Parts): CheckedPod {
  return {
    metadata: { annotations },
    spec: {
      ...spec,
      containers: containers.map((container, index) => ({
        name: String.fromCharCode(97 + index),
        image: 'i',
        ...container,
        securityContext: {
          ...secured,
          ...('securityContext' in container ? (container.securityContext as object) : {}),
        },
      })),
    },
  };
}

const found = (parts: Parts, level: Level, version: number): string => forbiddenDetail(evaluatePod({ level, version }, podOf(parts)));

const context = (securityContext: object) => ({ securityContext });
const inUserNamespace = { hostUsers: false };
const windows = { os: { name: 'windows' } };

describe('baseline refuses', () => {
  test.each<[Parts, number, string]>([
    [{ spec: { hostNetwork: true, hostIPC: true } }, 0, 'host namespaces (hostNetwork=true, hostIPC=true)'],
    [
      {
        spec: {
          volumes: [
            { name: 'v', hostPath: { path: '/' } },
            { name: 'w', emptyDir: {} },
          ],
        },
      },
      0,
      'hostPath volumes (volume "v")',
    ],
    [
      { containers: [{ ports: [{ hostPort: 80 }, { hostPort: 8080 }] }, { ports: [{ hostPort: 80 }] }] },
      0,
      'hostPort (containers "a", "b" use hostPorts 80, 8080)',
    ],
    [{ containers: [{ ports: [{ hostPort: 1 }, {}] }] }, 0, 'hostPort (container "a" uses hostPort 1)'],
    [{ containers: [context({ privileged: true })] }, 0, 'privileged (container "a" must not set securityContext.privileged=true)'],
    [
      { containers: [context({ capabilities: { drop: ['ALL'], add: ['SYS_TIME', 'KILL', 'BPF'] } })] },
      0,
      'non-default capabilities (container "a" must not include "BPF", "SYS_TIME" in securityContext.capabilities.add)',
    ],
    [
      { containers: [context({ windowsOptions: { hostProcess: true } })] },
      0,
      'hostProcess (container "a" must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    [
      {
        spec: context({ seLinuxOptions: { type: 'foo', user: 'u' } }),
        containers: [context({ seLinuxOptions: { type: 'bar', role: 'r' } })],
      },
      0,
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: types "bar", "foo"; user may not be set; role may not be set)',
    ],
    [
      { spec: context({ seLinuxOptions: { type: 'container_engine_t' } }) },
      30,
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
    ],
    [
      { spec: context({ appArmorProfile: { type: 'Unconfined' } }) },
      0,
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
    ],
    [
      { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' } },
      0,
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/a="unconfined"")',
    ],
    [
      { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
      18,
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    ],
    [
      { spec: context({ seccompProfile: { type: 'Unconfined' } }) },
      19,
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [{ spec: context({ sysctls: [{ name: 'a' }, { name: 'net.ipv4.tcp_rmem' }] }) }, 32, 'forbidden sysctls (a)'],
    [{ spec: context({ sysctls: [{ name: 'a' }, { name: 'net.ipv4.tcp_rmem' }] }) }, 31, 'forbidden sysctls (a, net.ipv4.tcp_rmem)'],
    [
      { containers: [context({ procMount: 'Unmasked' })], spec: inUserNamespace },
      34,
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      {
        containers: [{ livenessProbe: { httpGet: { host: 'x' } }, lifecycle: { preStop: { tcpSocket: { host: 'y' } } } }],
      },
      34,
      'probe or lifecycle host (container "a" uses probe or lifecycle hosts "x", "y")',
    ],
  ])('%j at v1.%i', (parts, version, want) => {
    expect(found(parts, 'baseline', version)).toBe(want);
  });
});

describe('baseline allows', () => {
  test.each<[Parts, number]>([
    [{}, latest],
    [{ containers: [{ livenessProbe: { httpGet: { host: 'x' } } }] }, 33],
    [{ spec: context({ seLinuxOptions: { type: 'container_engine_t' } }) }, 31],
    [{ annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } }, 19],
    [{ containers: [context({ procMount: 'Unmasked' })], spec: inUserNamespace }, 35],
    [{ containers: [context({ runAsUser: 0, runAsNonRoot: false, allowPrivilegeEscalation: true })] }, latest],
  ])('%j at v1.%i', (parts, version) => {
    expect(found(parts, 'baseline', version)).toBe('');
  });
});

describe('restricted refuses', () => {
  const root = context({ runAsNonRoot: undefined });
  test.each<[Parts, number, string]>([
    [
      { containers: [context({ allowPrivilegeEscalation: undefined })] },
      8,
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)',
    ],
    [
      { containers: [context({ capabilities: { add: ['BPF'] } })] },
      21,
      'non-default capabilities (container "a" must not include "BPF" in securityContext.capabilities.add)',
    ],
    [
      { containers: [context({ capabilities: { add: ['BPF'] } })] },
      22,
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "BPF" in securityContext.capabilities.add)',
    ],
    [
      {
        spec: {
          volumes: [
            { name: 'v', hostPath: { path: '/' } },
            { name: 'w', nfs: {} },
          ],
        },
      },
      0,
      'restricted volume types (volumes "v", "w" use restricted volume types "hostPath", "nfs")',
    ],
    [{ containers: [root, {}, root] }, 0, 'runAsNonRoot != true (pod or containers "a", "c" must set securityContext.runAsNonRoot=true)'],
    [
      { spec: context({ runAsNonRoot: false }), containers: [context({ runAsNonRoot: false })] },
      0,
      'runAsNonRoot != true (pod and container "a" must not set securityContext.runAsNonRoot=false)',
    ],
    [{ spec: context({ runAsUser: 0 }) }, 23, 'runAsUser=0 (pod must not set runAsUser=0)'],
    [
      { containers: [context({ seccompProfile: undefined })] },
      19,
      'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      { containers: [context({ procMount: 'Unmasked' })], spec: inUserNamespace },
      35,
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
  ])('%j at v1.%i', (parts, version, want) => {
    expect(found(parts, 'restricted', version)).toBe(want);
  });
});

describe('restricted allows', () => {
  const asRoot = context({ runAsUser: 0, runAsNonRoot: false });
  const unset = { allowPrivilegeEscalation: undefined, capabilities: undefined, seccompProfile: undefined };
  test.each<[Parts, number]>([
    [{}, latest],
    [{ containers: [context({ allowPrivilegeEscalation: true })] }, 7],
    [{ spec: context({ runAsUser: 0 }) }, 22],
    [{ containers: [asRoot], spec: inUserNamespace }, 35],
    [{ containers: [context(unset)], spec: windows }, 25],
    [{ containers: [context({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })] }, latest],
    [{ containers: [context({ runAsNonRoot: undefined })], spec: context({ runAsNonRoot: true }) }, latest],
  ])('%j at v1.%i', (parts, version) => {
    expect(found(parts, 'restricted', version)).toBe('');
  });
});

test('a pod with everything wrong is refused for baseline first, in the order of the checks', () => {
  const pod: CheckedPod = {
    metadata: {},
    spec: { hostPID: true, containers: [{ name: 'c', securityContext: { privileged: true } }] },
  };
  expect(evaluatePod({ level: 'restricted', version: latest }, pod).map(({ reason }) => reason)).toEqual([
    'host namespaces',
    'privileged',
    'allowPrivilegeEscalation != false',
    'unrestricted capabilities',
    'runAsNonRoot != true',
    'seccompProfile',
  ]);
  expect(evaluatePod({ level: 'privileged', version: latest }, pod)).toEqual([]);
});
