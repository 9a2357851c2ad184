import type { Namespace } from '../../../generated/v1.35/core/v1/types.ts';
import type { ControllerContext } from '../../controllers/controller-context.ts';
import { Profile } from './framework/profile.ts';
import { DefaultSelector } from './plugins/default-selector.ts';
import { interPodAffinity } from './plugins/inter-pod-affinity.ts';
import { nodeAffinity } from './plugins/node-affinity.ts';
import { nodeName } from './plugins/node-name.ts';
import { nodePorts } from './plugins/node-ports.ts';
import { nodeResourcesBalancedAllocation, nodeResourcesFit } from './plugins/node-resources.ts';
import { nodeUnschedulable } from './plugins/node-unschedulable.ts';
import { podTopologySpread } from './plugins/pod-topology-spread.ts';
import { taintToleration } from './plugins/taint-toleration.ts';
import { nodeVolumeLimits } from './plugins/volumes/node-volume-limits.ts';
import type { VolumeBinder } from './plugins/volumes/volume-binder.ts';
import { volumeBinding } from './plugins/volumes/volume-binding.ts';
import type { VolumeListers } from './plugins/volumes/volume-listers.ts';
import { volumeRestrictions } from './plugins/volumes/volume-restrictions.ts';
import { volumeZone } from './plugins/volumes/volume-zone.ts';

/** The plugins of default-scheduler, in upstream's order. (pkg/scheduler/apis/config/v1/default_plugins.go) */
export async function openDefaultProfile(
  context: Pick<ControllerContext, 'informers'>,
  volumes: { readonly listers: VolumeListers; readonly binder: VolumeBinder },
): Promise<Profile> {
  const { listers, binder } = volumes;
  const namespaces = await context.informers.of<Namespace>({ group: '', version: 'v1', resource: 'namespaces' });
  const spread = podTopologySpread(await DefaultSelector.open(context));
  const affinity = interPodAffinity(namespaces);
  return new Profile(
    [
      nodeUnschedulable,
      nodeName,
      taintToleration,
      nodeAffinity,
      nodePorts,
      nodeResourcesFit,
      volumeRestrictions(listers),
      nodeVolumeLimits(listers),
      volumeBinding(listers, binder),
      volumeZone(listers),
      spread,
      affinity,
    ],
    [taintToleration, nodeAffinity, nodeResourcesFit, spread, affinity, nodeResourcesBalancedAllocation],
  );
}
