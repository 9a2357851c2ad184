import type { PersistentVolume, PersistentVolumeClaim } from '../../../generated/v1.35/core/v1/types.ts';
import {
  annBindCompleted,
  annBoundByController,
  isVolumeBoundToClaim,
} from '../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import { defined } from '../../machinery/json/defined.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';

type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed';
type ClaimPhase = 'Pending' | 'Bound' | 'Lost';

/** Writes the missing parts of the binding between claims and volumes. (pv_controller.go) */
export class Bindings {
  readonly #volumes: LoopbackClient<PersistentVolume>;
  readonly #claims: LoopbackClient<PersistentVolumeClaim>;

  constructor(volumes: LoopbackClient<PersistentVolume>, claims: LoopbackClient<PersistentVolumeClaim>) {
    this.#volumes = volumes;
    this.#claims = claims;
  }

  /** Binds the volume first, to reserve it. @throws StatusError 404, 409 */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const bound = await this.#bindVolume(volume, claim);
    await this.setVolumePhase(bound, 'Bound');
    await this.setClaimPhase(await this.#bindClaim(claim, volume), 'Bound', bound);
  }

  /** (bindVolumeToClaim, GetBindVolumeToClaim) */
  async #bindVolume(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): Promise<PersistentVolume> {
    const { name, namespace, uid, resourceVersion } = metadata;
    const { claimRef } = volume.spec ?? {};
    const isByController = !isVolumeBoundToClaim(volume, { metadata }) || claimRef === undefined;
    if (!isByController && claimRef.uid === uid) return volume;
    const reference = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
    return this.#volumes.update({
      ...volume,
      metadata: isByController ? annotated(volume.metadata, { [annBoundByController]: 'yes' }) : volume.metadata,
      spec: { ...volume.spec, claimRef: defined(reference) },
    });
  }

  /** (bindClaimToVolume) */
  async #bindClaim(claim: PersistentVolumeClaim, { metadata }: PersistentVolume): Promise<PersistentVolumeClaim> {
    const isNamed = claim.spec?.volumeName === metadata.name;
    if (isNamed && claim.metadata.annotations?.[annBindCompleted] !== undefined) return claim;
    const annotations = { ...(isNamed ? {} : { [annBoundByController]: 'yes' }), [annBindCompleted]: 'yes' };
    return this.#claims.update({
      ...claim,
      metadata: annotated(claim.metadata, annotations),
      spec: defined({ ...claim.spec, volumeName: metadata.name }),
    });
  }

  /** Releases a volume whose claim is bound to another volume. (unbindVolume) */
  async unbind(volume: PersistentVolume): Promise<void> {
    const { [annBoundByController]: byController, ...annotations } = volume.metadata.annotations ?? {};
    const { claimRef, ...spec } = volume.spec ?? {};
    const { uid: _, ...prebound } = claimRef ?? {};
    const released = await this.#volumes.update({
      ...volume,
      metadata: { ...volume.metadata, annotations },
      spec: byController === undefined ? { ...spec, claimRef: prebound } : spec,
    });
    await this.setVolumePhase(released, 'Available');
  }

  /** Sets the phase. Resolves to whether it changed. (updateVolumePhase) */
  async setVolumePhase(volume: PersistentVolume, phase: VolumePhase, message?: string): Promise<boolean> {
    if (volume.status?.phase === phase) return false;
    const { message: _, ...status } = volume.status ?? {};
    await this.#volumes.update({ ...volume, status: { ...status, phase, ...(message && { message }) } }, 'status');
    return true;
  }

  /**
   * Sets the phase. Resolves to whether the status changed. (updateClaimStatus) @param volume absent if the claim has
   * none
   */
  async setClaimPhase(claim: PersistentVolumeClaim, phase: ClaimPhase, volume?: PersistentVolume): Promise<boolean> {
    const { accessModes: _, capacity, currentVolumeAttributesClassName: attributes, ...others } = claim.status ?? {};
    const isNew = claim.status?.phase !== phase;
    const { spec } = volume ?? {};
    const bound = spec && {
      accessModes: spec.accessModes,
      capacity: isNew ? spec.capacity : capacity,
      currentVolumeAttributesClassName: isNew ? (spec.volumeAttributesClassName ?? attributes) : attributes,
    };
    const status = { ...others, phase, ...bound };
    if (semanticDeepEqual(status, claim.status)) return false;
    await this.#claims.update({ ...claim, status }, 'status');
    return true;
  }

  /** (assignDefaultStorageClass) */
  async setStorageClass(claim: PersistentVolumeClaim, storageClassName: string): Promise<void> {
    await this.#claims.update({ ...claim, spec: { ...claim.spec, storageClassName } });
  }

  /** Sets the annotation that requests a volume from a provisioner. (setClaimProvisioner) */
  async setProvisioner(claim: PersistentVolumeClaim, provisioner: string): Promise<void> {
    const { annotations = {} } = claim.metadata;
    if (annotations[annStorageProvisioner] === provisioner) return;
    const asked = { [annStorageProvisioner]: provisioner, [annBetaStorageProvisioner]: provisioner };
    await this.#claims.update({ ...claim, metadata: annotated(claim.metadata, asked) });
  }

  async deleteVolume({ metadata }: PersistentVolume): Promise<void> {
    await this.#volumes.delete('', metadata.name ?? '', defined({ uid: metadata.uid }));
  }
}

export const annStorageProvisioner = 'volume.kubernetes.io/storage-provisioner';
const annBetaStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';

const annotated = (
  metadata: PersistentVolume['metadata'],
  annotations: Readonly<Record<string, string>>,
): PersistentVolume['metadata'] => ({ ...metadata, annotations: { ...metadata.annotations, ...annotations } });
