import type { PersistentVolume, PersistentVolumeClaim } from '../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { Bindings } from './bindings.ts';
import type { VolumeObjects } from './claim-sync.ts';

export const annDynamicallyProvisioned = 'pv.kubernetes.io/provisioned-by';

/** Moves volumes through their phases, from Available to Released. (pv_controller.go syncVolume) */
export class VolumeSync {
  readonly #objects: VolumeObjects;
  readonly #bindings: Bindings;
  readonly #recorder: EventRecorder;
  readonly #enqueueClaim: (claim: PersistentVolumeClaim) => void;

  constructor(objects: VolumeObjects, bindings: Bindings, recorder: EventRecorder, enqueueClaim: (claim: PersistentVolumeClaim) => void) {
    this.#objects = objects;
    this.#bindings = bindings;
    this.#recorder = recorder;
    this.#enqueueClaim = enqueueClaim;
  }

  async run(volume: PersistentVolume): Promise<void> {
    const { claimRef } = volume.spec ?? {};
    if (!claimRef?.uid) {
      await this.#bindings.setVolumePhase(volume, 'Available');
      return;
    }
    const found = this.#objects.claims.get(claimRef.namespace ?? '', claimRef.name ?? '');
    const claim = found?.metadata.uid === claimRef.uid ? found : undefined;
    const { name = '' } = volume.metadata;
    if (claim === undefined) await this.#reclaim(volume);
    else if (!claim.spec?.volumeName) this.#awaitBinding(volume, claim);
    else if (claim.spec.volumeName === name) await this.#bindings.setVolumePhase(volume, 'Bound');
    else if (isDeletedAfterUse(volume) && volume.metadata.annotations?.[annDynamicallyProvisioned] !== undefined) {
      await this.#reclaim(volume);
    } else await this.#bindings.unbind(volume);
  }

  #awaitBinding(volume: PersistentVolume, claim: PersistentVolumeClaim): void {
    if ((claim.spec?.volumeMode ?? 'Filesystem') === (volume.spec?.volumeMode ?? 'Filesystem')) {
      this.#enqueueClaim(claim);
      return;
    }
    const recordEvent = (about: PersistentVolume | PersistentVolumeClaim, message: string): void =>
      this.#recorder.event(referenceTo(about), { type: 'Warning', reason: 'VolumeMismatch', message });
    const [claimName, volumeName] = [claim.metadata.name, volume.metadata.name].map((one) => quote(one ?? ''));
    const why = 'due to incompatible volumeMode.';
    recordEvent(volume, `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} ${why}`);
    recordEvent(claim, `Cannot bind PersistentVolume ${volumeName} to requested PersistentVolumeClaim ${why}`);
  }

  /**
   * Handles a volume whose claim was deleted, or has another volume. Volumes without a provisioner are neither deleted
   * nor recycled here. (reclaimVolume)
   */
  async #reclaim(volume: PersistentVolume): Promise<void> {
    const { phase } = volume.status ?? {};
    if (phase !== 'Released' && phase !== 'Failed') {
      await this.#bindings.setVolumePhase(volume, 'Released');
      return;
    }
    if (!isDeletedAfterUse(volume) || phase === 'Failed') return;
    if (volume.metadata.annotations?.[annDynamicallyProvisioned] !== undefined) return;
    const message = `error getting deleter volume plugin for volume ${quote(volume.metadata.name ?? '')}: no volume plugin matched`;
    await this.#bindings.setVolumePhase(volume, 'Failed', message);
    this.#recorder.event(referenceTo(volume), { type: 'Warning', reason: 'VolumeFailedDelete', message });
  }
}

const isDeletedAfterUse = ({ spec }: PersistentVolume): boolean => spec?.persistentVolumeReclaimPolicy === 'Delete';
