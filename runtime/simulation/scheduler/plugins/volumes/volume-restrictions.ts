import type { FilterPlugin, PodFilter } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { unresolvable, unschedulable } from '../../framework/status.ts';
import { claimNotFound, type VolumeListers } from './volume-listers.ts';

const name = 'VolumeRestrictions';
const inUse = unschedulable(
  name,
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);

/** Rejects pods whose claim allows a single pod and is in use. (plugins/volumerestrictions) */
export function volumeRestrictions({ claims }: Pick<VolumeListers, 'claims'>): FilterPlugin {
  return {
    name,
    hints: {
      AssignedPodDelete: (pod, { before }) => before?.metadata.namespace === pod.namespace,
      PersistentVolumeClaim: true,
      NodeAdd: true,
    },
    preFilter(pod, nodes) {
      const exclusive = new Set<string>();
      for (const key of pod.claims) {
        const claimName = key.slice(pod.namespace.length + 1);
        const claim = claims.get(pod.namespace, claimName);
        if (claim === undefined) return unresolvable(name, claimNotFound(claimName));
        if (claim.spec?.accessModes?.includes('ReadWriteOncePod')) exclusive.add(key);
      }
      let conflicts = 0;
      for (const key of exclusive) if (nodes.podsUsingClaim(key) > 0) conflicts++;
      return conflicts === 0 ? undefined : conflictFilter(exclusive, conflicts);
    },
  };
}

function conflictFilter(exclusive: ReadonlySet<string>, given: number): PodFilter {
  let conflicts = given;
  const countOf = ({ claims }: PodInfo): number => claims.filter((key) => exclusive.has(key)).length;
  return {
    filter: () => (conflicts > 0 ? inUse : undefined),
    addPod(other) {
      conflicts += countOf(other);
    },
    removePod(other) {
      conflicts -= countOf(other);
    },
    clone: () => conflictFilter(exclusive, conflicts),
  };
}
