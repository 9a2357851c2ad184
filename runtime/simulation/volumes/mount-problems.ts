import type { Container, Pod, Volume } from '../../../generated/v1.35/core/v1/types.ts';
import { claimNameOf, notForPod } from '../../kinds/core/pod/volume-claims.ts';
import { quote } from '../../machinery/go/quote.ts';
import { type ClusterObjects, remembering } from '../cluster-objects.ts';
import { type VolumeOf, volumeFiles } from './volume-files.ts';
import { MountError, VolumeSpace } from './volume-space.ts';

/* Reasons why a pod's volumes cannot be mounted. (pkg/kubelet/volumemanager) */

export interface MountProblems {
  /** One message for each volume that cannot be set up; the last one is about all volumes with unusable claims. */
  readonly messages: readonly string[];
  /** Whether a message is about claims, which kubelets check with each sync of the pod. */
  readonly isAboutClaims: boolean;
}

/** Returns undefined if all volumes mounted by containers can be mounted. */
export function mountProblems(pod: Pod, objects: ClusterObjects): MountProblems | undefined {
  const volumes = pod.spec?.volumes;
  if (!volumes?.length) return undefined;
  const uses = volumeUses(pod);
  const given: VolumeOf = { pod, objects: remembering(objects), space: new VolumeSpace() };
  const messages: string[] = [];
  const unmounted: string[] = [];
  const unprocessed: string[] = [];
  const claimErrors: string[] = [];
  for (const volume of volumes) {
    const use = uses.get(volume.name);
    if (use === undefined) continue;
    const claimError = claimProblem(volume, use, given);
    const setUpError = claimError === undefined ? setUpProblem(volume, given) : undefined;
    if (claimError !== undefined) {
      claimErrors.push(claimError);
      unprocessed.push(volume.name);
    }
    if (setUpError !== undefined) messages.push(`MountVolume.SetUp failed for volume ${quote(volume.name)} : ${setUpError}`);
    if (claimError !== undefined || setUpError !== undefined) unmounted.push(volume.name);
  }
  if (unmounted.length === 0) return undefined;
  if (claimErrors.length > 0) {
    const which = `unmounted volumes=${listText(unmounted)}, unattached volumes=[], failed to process volumes=${listText(unprocessed)}`;
    messages.push(`Unable to attach or mount volumes: ${which}: ${claimErrors.join('; ')}`);
  }
  return {
    messages: messages.map((message) => message.slice(0, maxMessage)),
    isAboutClaims: claimErrors.length > 0,
  };
}

/** The most characters of a message: pods can have any number of volumes. */
const maxMessage = 1024;

/** Formats names like a sorted Go slice. */
const listText = (names: readonly string[]): string => `[${[...names].sort().join(' ')}]`;

interface VolumeUse {
  isMounted: boolean;
  isDevice: boolean;
}

/** Returns how containers use each volume, by name. (GetPodVolumeNames) */
function volumeUses({ spec }: Pod): Map<string, VolumeUse> {
  const uses = new Map<string, VolumeUse>();
  const useOf = (name: string): VolumeUse => {
    const use = uses.get(name) ?? { isMounted: false, isDevice: false };
    uses.set(name, use);
    return use;
  };
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
  for (const { volumeMounts = [], volumeDevices = [] } of all as readonly Container[]) {
    for (const { name } of volumeMounts) useOf(name).isMounted = true;
    for (const { name } of volumeDevices) useOf(name).isDevice = true;
  }
  return uses;
}

function setUpProblem(volume: Volume, given: VolumeOf): string | undefined {
  try {
    volumeFiles(volume, given);
    return undefined;
  } catch (error) {
    if (error instanceof MountError) return error.message;
    throw error;
  }
}

/** (createVolumeSpec, getPVCExtractPV, getPVSpec) */
function claimProblem(volume: Volume, { isMounted, isDevice }: VolumeUse, { pod, objects }: VolumeOf): string | undefined {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const claimName = claimNameOf(volume, podName);
  if (claimName === undefined) return undefined;
  const { name, isEphemeral } = claimName;
  const failed = (why: string): string => `error processing PVC ${namespace}/${name}: ${why}`;
  const claim = objects.claim(namespace, name);
  if (claim === undefined) return failed(`failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`);
  const { metadata, spec, status } = claim;
  if (metadata.deletionTimestamp && !metadata.finalizers?.includes(protectionFinalizer)) return failed('PVC is being deleted');
  if (status?.phase !== 'Bound') return failed('PVC is not bound');
  if (!spec?.volumeName) return failed('PVC has empty pvc.Spec.VolumeName');
  const stranger = isEphemeral ? notForPod(claim, pod.metadata) : undefined;
  if (stranger !== undefined) return stranger;
  const persistent = objects.volume(spec.volumeName);
  if (persistent === undefined) {
    return failed(`failed to fetch PV ${spec.volumeName} from API server: persistentvolumes "${spec.volumeName}" not found`);
  }
  const { claimRef, volumeMode = 'Filesystem' } = persistent.spec ?? {};
  const found = `found PV object ${spec.volumeName} but`;
  if (!claimRef) return failed(`${found} it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`);
  if (claimRef.uid !== metadata.uid) {
    return failed(`${found} its pv.Spec.ClaimRef.UID ${claimRef.uid ?? ''} does not point to claim.UID ${metadata.uid}`);
  }
  const hasMode = `volume ${volume.name} has volumeMode ${volumeMode}, but is specified in`;
  if (isMounted && volumeMode !== 'Filesystem') return `${hasMode} volumeMounts`;
  if (isDevice && volumeMode !== 'Block') return `${hasMode} volumeDevices`;
  return undefined;
}

const protectionFinalizer = 'kubernetes.io/pvc-protection';
