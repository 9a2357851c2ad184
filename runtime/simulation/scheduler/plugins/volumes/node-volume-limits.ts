import type { Pod } from '../../../../../generated/v1.35/core/v1/types.ts';
import { storageClassOf } from '../../../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import type { FilterPlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { unresolvable, unschedulable } from '../../framework/status.ts';
import { claimNamesOf, claimNotFound, usesClaims, type VolumeListers } from './volume-listers.ts';

const name = 'NodeVolumeLimits';
const exceeded = unschedulable(name, 'node(s) exceed max volume count');

/** Limits the volumes of a CSI driver on a node to the number in its CSINode. (plugins/nodevolumelimits) */
export function nodeVolumeLimits(listers: VolumeListers): FilterPlugin {
  return {
    name,
    hints: {
      CSINode: true,
      AssignedPodDelete: (_, { before }) => usesClaims({ pod: before as Pod }),
      PersistentVolumeClaim: true,
      NodeAdd: true,
    },
    preFilter(pod) {
      if (!usesClaims(pod)) return undefined;
      const missing = claimNamesOf(pod).find((claim) => listers.claims.get(pod.namespace, claim.name) === undefined);
      const wanted = csiVolumes(pod, listers);
      if (missing === undefined && wanted.size === 0) return undefined;
      const { namespace } = pod;
      return {
        filter(node) {
          if (missing !== undefined) {
            return unresolvable(name, `looking up PVC ${namespace}/${missing.name}: ${claimNotFound(missing.name)}`);
          }
          const drivers = listers.csiNodes.get('', node.name)?.spec?.drivers ?? [];
          const limits = new Map(drivers.map((driver) => [driver.name, driver.allocatable?.count]));
          if (![...limits.values()].some((count) => count !== undefined)) return undefined;
          const volumes = new Map(wanted);
          for (const other of node.pods.values()) {
            if (usesClaims(other)) for (const [volume, driver] of csiVolumes(other, listers)) volumes.set(volume, driver);
          }
          for (const driver of new Set(wanted.values())) {
            const limit = limits.get(driver);
            const count = [...volumes.values()].filter((one) => one === driver).length;
            if (limit !== undefined && count > limit) return exceeded;
          }
          return undefined;
        },
      };
    },
  };
}

/** Returns a pod's volumes with their drivers. (filterAttachableVolumes) */
function csiVolumes(pod: PodInfo, { claims, volumes, classes }: VolumeListers): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name: claimName } of claimNamesOf(pod)) {
    const claim = claims.get(pod.namespace, claimName);
    if (claim === undefined) continue;
    const volume = volumes.get('', claim.spec?.volumeName ?? '');
    if (volume !== undefined) {
      const csi = volume.spec?.csi;
      if (csi) found.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
    } else {
      const driver = classes.get('', storageClassOf(claim))?.provisioner;
      if (driver) found.set(`${driver}/${driver}-${pod.namespace}/${claimName}`, driver);
    }
  }
  return found;
}
