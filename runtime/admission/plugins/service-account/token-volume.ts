import type { Volume } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Random } from '../../../machinery/random.ts';
import { generateName } from '../../../resources/metadata.ts';
import type { PodSpec } from '../../resources.ts';

const volumePrefix = 'kube-api-access-';
/** The path where clients expect the token. (DefaultAPITokenMountPath) */
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Seconds: an hour, plus 7 that mark such tokens. (WarnOnlyBoundTokenExpirationSeconds) */
const expirationSeconds = 3607;

/** Mounts a token in all containers without a mount at its path, and adds the volume if any container needs it. */
export function mountServiceAccountToken(spec: PodSpec, random: Random): void {
  const existing = spec.volumes?.find(({ name }) => name?.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(random, volumePrefix);
  let isNeeded = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
    isNeeded = true;
  }
  if (existing === undefined && isNeeded) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

/** (TokenVolumeSource) */
function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}
