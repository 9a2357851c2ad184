import { storageClassOf } from '../../../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import type { FilterPlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';
import { claimNamesOf, claimNotFound, usesClaims, type VolumeListers } from './volume-listers.ts';

const name = 'VolumeZone';
const conflict = unresolvable(name, 'node(s) had no available volume zone');

/** Topology labels of volumes and nodes. Old names map to newer ones. */
const topologyLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
]);

interface VolumeTopology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** Rejects nodes outside of the zones in volumes' labels. (plugins/volumezone) */
export function volumeZone(listers: VolumeListers): FilterPlugin {
  return {
    name,
    hints: { StorageClass: true, PersistentVolumeClaim: true, PersistentVolume: true, NodeAdd: true, NodeLabel: true },
    preFilter(pod) {
      if (!usesClaims(pod)) return undefined;
      const topologies = topologiesOf(pod, listers);
      if (!Array.isArray(topologies)) return topologies;
      if (topologies.length === 0) return undefined;
      return {
        filter({ labels }) {
          if (![...topologyLabels.keys()].some((key) => Object.hasOwn(labels, key))) return undefined;
          const isNear = topologies.every(({ key, values }) => values.has(labels[key] ?? labels[topologyLabels.get(key) ?? ''] ?? ''));
          return isNear ? undefined : conflict;
        },
      };
    },
  };
}

/** (getPVbyPod) */
function topologiesOf(pod: PodInfo, { claims, volumes, classes }: VolumeListers): VolumeTopology[] | Status {
  const topologies: VolumeTopology[] = [];
  for (const { name: claimName, isEphemeral } of claimNamesOf(pod)) {
    if (isEphemeral) continue;
    const claim = claims.get(pod.namespace, claimName);
    if (claim === undefined) return unresolvable(name, claimNotFound(claimName));
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName === '') {
      const className = storageClassOf(claim);
      if (className === '') return unresolvable(name, 'PersistentVolumeClaim had no pv name and storageClass name');
      const storageClass = classes.get('', className);
      if (storageClass === undefined) {
        return unresolvable(name, `storageclass.storage.k8s.io "${className}" not found`);
      }
      if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') continue;
      return unresolvable(name, 'PersistentVolume had no name');
    }
    const volume = volumes.get('', volumeName);
    if (volume === undefined) return unresolvable(name, `persistentvolume "${volumeName}" not found`);
    for (const key of topologyLabels.keys()) {
      const zones = volume.metadata.labels?.[key];
      if (zones) topologies.push({ key, values: new Set(zones.split('__').map((zone) => zone.trim())) });
    }
  }
  return topologies;
}
