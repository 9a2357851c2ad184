import type { PersistentVolumeClaim, Volume } from '../../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject } from '../../../machinery/object.ts';

/** A claim that a pod uses. */
export interface ClaimName {
  readonly name: string;
  /** Whether the claim is made for the pod. */
  readonly isEphemeral: boolean;
}

/** Returns the claim of a pod's volume; undefined for a volume without a claim. */
export function claimNameOf({ name, persistentVolumeClaim, ephemeral }: Volume, pod: string): ClaimName | undefined {
  if (persistentVolumeClaim) return { name: persistentVolumeClaim.claimName, isEphemeral: false };
  return ephemeral ? { name: ephemeralClaimName(pod, name), isEphemeral: true } : undefined;
}

/**
 * Returns the name of the claim that is made for a pod's volume. (component-helpers storage/ephemeral VolumeClaimName)
 */
export const ephemeralClaimName = (pod: string, volume: string): string => `${pod}-${volume}`;

/** Returns the reason why an existing claim was not made for the pod. (VolumeIsForPod) */
export function notForPod(
  { metadata }: PersistentVolumeClaim,
  pod: Pick<KubeObject['metadata'], 'namespace' | 'name' | 'uid'>,
): string | undefined {
  if (metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === pod.uid)) return undefined;
  const { namespace } = pod;
  return `PVC ${namespace}/${metadata.name} was not created for pod ${namespace}/${pod.name} (pod is not owner)`;
}
