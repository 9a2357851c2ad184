import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { StorageClass } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import {
  annBindCompleted,
  annBoundByController,
  annSelectedNode,
  findMatchingVolume,
  hasAccessModes,
  isVolumeBoundToClaim,
  storageClassOf,
  storageIn,
} from '../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import { claimNameOf } from '../../kinds/core/pod/volume-claims.ts';
import { storageClassAnnotation } from '../../kinds/core/storage-class-annotation.ts';
import { findDefaultClass } from '../../kinds/storage.k8s.io/default-class.ts';
import { quote } from '../../machinery/go/quote.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import { type EventRecorder, type RecordedEvent, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { Bindings } from './bindings.ts';

export interface VolumeObjects {
  readonly claims: SharedInformer<PersistentVolumeClaim>;
  readonly volumes: SharedInformer<PersistentVolume>;
  readonly classes: SharedInformer<StorageClass>;
  readonly pods: SharedInformer<Pod>;
}

/** Binds claims to volumes. (pv_controller.go syncClaim) */
export class ClaimSync {
  readonly #objects: VolumeObjects;
  readonly #bindings: Bindings;
  readonly #recorder: EventRecorder;

  constructor(objects: VolumeObjects, bindings: Bindings, recorder: EventRecorder) {
    this.#objects = objects;
    this.#bindings = bindings;
    this.#recorder = recorder;
  }

  async run(claim: PersistentVolumeClaim): Promise<void> {
    if (claim.metadata.annotations?.[annBindCompleted] !== undefined) await this.#syncBound(claim);
    else if (claim.spec?.volumeName) await this.#syncRequested(claim, claim.spec.volumeName);
    else await this.#syncUnbound(claim);
  }

  async #syncUnbound(claim: PersistentVolumeClaim): Promise<void> {
    const className = storageClassOf(claim);
    const waits = this.#objects.classes.get('', className)?.volumeBindingMode === 'WaitForFirstConsumer';
    const volume = this.#bestMatch(claim, waits);
    if (volume !== undefined) return this.#bindings.bind(volume, claim);
    const defaultClass = hasClass(claim) ? undefined : findDefaultClass(this.#objects.classes.list())?.metadata.name;
    if (defaultClass !== undefined) return this.#bindings.setStorageClass(claim, defaultClass);
    if (waits && claim.metadata.annotations?.[annSelectedNode] === undefined) this.#recordEvent(claim, this.#waiting(claim));
    else if (className !== '') return this.#provision(claim, className);
    else this.#recordEvent(claim, noVolumes);
    await this.#bindings.setClaimPhase(claim, 'Pending');
  }

  /** Returns the best volume. Volumes with the fewest access modes come first. (findBestMatchForClaim) */
  #bestMatch(claim: PersistentVolumeClaim, waits: boolean): PersistentVolume | undefined {
    const groups = new Map<string, PersistentVolume[]>();
    for (const volume of this.#objects.volumes.list()) {
      if (!hasAccessModes(volume, claim)) continue;
      const modes = [...(volume.spec?.accessModes ?? [])].sort().join();
      groups.set(modes, [...(groups.get(modes) ?? []), volume]);
    }
    const sorted = [...groups].sort(([a], [b]) => a.split(',').length - b.split(',').length);
    for (const [, volumes] of sorted) {
      const found = findMatchingVolume(claim, volumes, undefined, waits);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** (emitEventForUnboundDelayBindingClaim) */
  #waiting({ metadata }: PersistentVolumeClaim): RecordedEvent {
    const users = [...this.#objects.pods.list(metadata.namespace)].filter(
      ({ metadata: pod, spec }) =>
        !spec?.nodeName && spec?.volumes?.some((volume) => claimNameOf(volume, pod.name ?? '')?.name === metadata.name),
    );
    if (users.length === 0) {
      const message = 'waiting for first consumer to be created before binding';
      return { type: 'Normal', reason: 'WaitForFirstConsumer', message };
    }
    const names = users.map((pod) => pod.metadata.name).join();
    const message = `waiting for ${users.length > 1 ? 'pods' : 'pod'} ${names} to be scheduled`;
    return { type: 'Normal', reason: 'WaitForPodScheduled', message };
  }

  /** Requests a volume from the provisioner of the class. (provisionClaimOperationExternal) */
  async #provision(claim: PersistentVolumeClaim, className: string): Promise<void> {
    const storageClass = this.#objects.classes.get('', className);
    if (storageClass === undefined) {
      const message = `storageclass.storage.k8s.io ${quote(className)} not found`;
      this.#recordEvent(claim, { type: 'Warning', reason: 'ProvisioningFailed', message });
      await this.#bindings.setClaimPhase(claim, 'Pending');
      return;
    }
    const { provisioner } = storageClass;
    await this.#bindings.setProvisioner(claim, provisioner);
    if (provisioner === noProvisioner) return;
    const message =
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
      'or manually by the system administrator. If volume creation is delayed, please verify that ' +
      'the provisioner is running and correctly registered.';
    this.#recordEvent(claim, { type: 'Normal', reason: 'ExternalProvisioning', message });
  }

  async #syncRequested(claim: PersistentVolumeClaim, name: string): Promise<void> {
    const volume = this.#objects.volumes.get('', name);
    if (volume?.spec?.claimRef && isVolumeBoundToClaim(volume, claim)) return this.#bindings.bind(volume, claim);
    if (volume?.spec?.claimRef) {
      const message = `volume ${quote(name)} already bound to a different claim.`;
      this.#recordEvent(claim, { type: 'Warning', reason: 'FailedBinding', message });
      if (claim.metadata.annotations?.[annBoundByController] !== undefined) return;
    } else if (volume !== undefined) {
      const problem = mismatch(volume, claim);
      if (problem === undefined) return this.#bindings.bind(volume, claim);
      const message = `Cannot bind to requested volume ${quote(name)}: ${problem}`;
      this.#recordEvent(claim, { type: 'Warning', reason: 'VolumeMismatch', message });
    }
    await this.#bindings.setClaimPhase(claim, 'Pending');
  }

  async #syncBound(claim: PersistentVolumeClaim): Promise<void> {
    const { volumeName = '' } = claim.spec ?? {};
    const volume = this.#objects.volumes.get('', volumeName);
    const { claimRef } = volume?.spec ?? {};
    if (volume !== undefined && (!claimRef || claimRef.uid === claim.metadata.uid)) {
      return this.#bindings.bind(volume, claim);
    }
    const [reason, message] =
      volumeName === ''
        ? ['ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!']
        : volume === undefined
          ? ['ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!']
          : ['ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly'];
    if (await this.#bindings.setClaimPhase(claim, 'Lost')) this.#recordEvent(claim, { type: 'Warning', reason, message });
  }

  #recordEvent(claim: PersistentVolumeClaim, event: RecordedEvent): void {
    this.#recorder.event(referenceTo(claim), event);
  }
}

/** The provisioner of classes whose volumes administrators create. (NotSupportedProvisioner) */
const noProvisioner = 'kubernetes.io/no-provisioner';

const noVolumes: RecordedEvent = {
  type: 'Normal',
  reason: 'FailedBinding',
  message: 'no persistent volumes available for this claim and no storage class is set',
};

const hasClass = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  metadata.annotations?.[storageClassAnnotation] !== undefined || spec?.storageClassName !== undefined;

/** Returns why a volume does not satisfy a claim; undefined if it does. (checkVolumeSatisfyClaim) */
function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const [offered, wanted] = [volume.spec ?? {}, claim.spec ?? {}];
  if (volume.metadata.deletionTimestamp) {
    return `the volume is marked for deletion ${quote(volume.metadata.name ?? '')}`;
  }
  if (compareQuantities(storageIn(offered.capacity), storageIn(wanted.resources?.requests)) < 0) {
    return 'requested PV is too small';
  }
  if (storageClassOf(volume) !== storageClassOf(claim)) return 'storageClassName does not match';
  if ((offered.volumeAttributesClassName ?? '') !== (wanted.volumeAttributesClassName ?? '')) {
    return 'volumeAttributesClassName does not match';
  }
  if ((offered.volumeMode ?? 'Filesystem') !== (wanted.volumeMode ?? 'Filesystem')) return 'incompatible volumeMode';
  return hasAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}
