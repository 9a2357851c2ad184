import type { PersistentVolume, PersistentVolumeClaim } from '../../../generated/v1.35/core/v1/types.ts';
import type { StorageClass } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { annStorageProvisioner } from '../../controllers/persistentvolume/bindings.ts';
import { annDynamicallyProvisioned } from '../../controllers/persistentvolume/volume-sync.ts';
import { storageClassOf, storageIn } from '../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, type RecordedEvent, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { SimulationContext } from '../context.ts';

/** The provisioner of a simulated cluster's storage class. */
export const provisionerName = 'volumes.simulation.kubeloom.dev';

const core = { group: '', version: 'v1' };
const claimResource = { ...core, resource: 'persistentvolumeclaims' };
const volumeResource = { ...core, resource: 'persistentvolumes' };
const classResource = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
const component = `${provisionerName}_kubeloom`;

/**
 * Creates volumes for claims, enlarges them, and deletes them after their claims, like the external-provisioner and
 * external-resizer of CSI drivers. The volumes have no storage behind them.
 */
export function volumeProvisioner(context: SimulationContext): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: 'volume-provisioner',
    async open(queue) {
      const writer = writerOfController('simulated-provisioner');
      if (stores.serves(classResource.group, classResource.version, classResource.resource)) {
        const classClient = await LoopbackClient.open<StorageClass>(stores, classResource, writer);
        // a deleted or changed class stays so until the next start
        await classClient.createIfAbsent(standardClass);
      }
      const claims = await informers.of<PersistentVolumeClaim>(claimResource);
      const volumes = await informers.of<PersistentVolume>(volumeResource);
      const provisioner = new Provisioner({
        claims,
        volumes,
        classes: await informers.of<StorageClass>(classResource),
        claimClient: await LoopbackClient.open<PersistentVolumeClaim>(stores, claimResource, writer),
        volumeClient: await LoopbackClient.open<PersistentVolume>(stores, volumeResource, writer),
        recorder: new EventRecorder(stores, component, writer),
      });
      claims.addEventHandler({
        onAdd: (claim) => queue.addObject(claim),
        onUpdate: (_, claim) => queue.addObject(claim),
      });
      volumes.addEventHandler({
        onAdd: (volume) => queue.addObject(volume),
        onUpdate: (_, volume) => queue.addObject(volume),
      });
      return async (key) => {
        await provisioner.sync(key);
        return 'done';
      };
    },
  });
}

const standardClass = {
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: provisionerName,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  allowVolumeExpansion: true,
};

interface ProvisionerOptions {
  readonly claims: SharedInformer<PersistentVolumeClaim>;
  readonly volumes: SharedInformer<PersistentVolume>;
  readonly classes: SharedInformer<StorageClass>;
  readonly claimClient: LoopbackClient<PersistentVolumeClaim>;
  readonly volumeClient: LoopbackClient<PersistentVolume>;
  readonly recorder: EventRecorder;
}

class Provisioner {
  readonly #options: ProvisionerOptions;

  constructor(options: ProvisionerOptions) {
    this.#options = options;
  }

  /** @param key of a claim, or without a namespace of a volume */
  async sync({ namespace, name }: ObjectKey): Promise<void> {
    const { claims, volumes } = this.#options;
    const claim = namespace === '' ? undefined : claims.get(namespace, name);
    const volume = namespace === '' ? volumes.get('', name) : undefined;
    if (claim !== undefined && !claim.metadata.deletionTimestamp) await this.#syncClaim(claim);
    if (volume !== undefined) await this.#deleteReleased(volume);
  }

  async #syncClaim(claim: PersistentVolumeClaim): Promise<void> {
    if (claim.metadata.annotations?.[annStorageProvisioner] !== provisionerName) return;
    const volume = this.#options.volumes.get('', claim.spec?.volumeName ?? '');
    if (!claim.spec?.volumeName) await this.#provision(claim);
    else if (volume !== undefined && claim.status?.phase === 'Bound') await this.#resize(claim, volume);
  }

  async #provision(claim: PersistentVolumeClaim): Promise<void> {
    const { name: claimName, namespace, uid, resourceVersion } = claim.metadata;
    const name = `pvc-${uid}`;
    const storageClass = this.#options.classes.get('', storageClassOf(claim));
    if (storageClass === undefined || this.#options.volumes.get('', name) !== undefined) return;
    const about = `claim "${namespace}/${claimName}"`;
    this.#recordEvent(claim, 'Provisioning', `External provisioner is provisioning volume for ${about}`);
    const { spec } = claim;
    const claimRef = {
      kind: 'PersistentVolumeClaim',
      namespace,
      name: claimName,
      uid,
      apiVersion: 'v1',
      resourceVersion,
    };
    await this.#options.volumeClient.createIfAbsent({
      metadata: { name, annotations: { [annDynamicallyProvisioned]: provisionerName } },
      spec: defined({
        capacity: { storage: spec?.resources?.requests?.storage ?? '0' },
        csi: { driver: provisionerName, volumeHandle: name },
        accessModes: spec?.accessModes,
        claimRef: defined(claimRef),
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
        storageClassName: storageClass.metadata.name,
        ...(storageClass.mountOptions?.length && { mountOptions: storageClass.mountOptions }),
        volumeMode: spec?.volumeMode ?? 'Filesystem',
        ...(spec?.volumeAttributesClassName && { volumeAttributesClassName: spec.volumeAttributesClassName }),
      }),
    });
    this.#recordEvent(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  }

  /** Writes the requested size of the claim into the volume, and then into the claim's status. */
  async #resize(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const wanted = claim.spec?.resources?.requests?.storage;
    if (wanted === undefined || !isLarger({ storage: wanted }, claim.status?.capacity)) return;
    const { name } = volume.metadata;
    if (isLarger({ storage: wanted }, volume.spec?.capacity)) {
      this.#recordEvent(claim, 'Resizing', `External resizer is resizing volume ${name}`);
      const capacity = { ...volume.spec?.capacity, storage: wanted };
      await this.#options.volumeClient.update({ ...volume, spec: { ...volume.spec, capacity } });
    }
    const status = { ...claim.status, capacity: { ...claim.status?.capacity, storage: wanted } };
    await this.#options.claimClient.update({ ...claim, status }, 'status');
    this.#recordEvent(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded');
  }

  async #deleteReleased({ metadata, spec, status }: PersistentVolume): Promise<void> {
    const isOurs = metadata.annotations?.[annDynamicallyProvisioned] === provisionerName;
    const isReleased = status?.phase === 'Released' && spec?.persistentVolumeReclaimPolicy === 'Delete';
    if (!isOurs || !isReleased || metadata.deletionTimestamp) return;
    try {
      await this.#options.volumeClient.delete('', metadata.name ?? '', defined({ uid: metadata.uid }));
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
  }

  #recordEvent(claim: PersistentVolumeClaim, reason: string, message: string): void {
    const event: RecordedEvent = { type: 'Normal', reason, message };
    this.#options.recorder.event(referenceTo(claim), event);
  }
}

type Capacity = Readonly<Record<string, string>> | undefined;

const isLarger = (a: Capacity, b: Capacity): boolean => compareQuantities(storageIn(a), storageIn(b)) > 0;
