import type { PersistentVolume, PersistentVolumeClaim } from '../../../../../generated/v1.35/core/v1/types.ts';
import type { ControllerContext } from '../../../../controllers/controller-context.ts';
import {
  annBoundByController,
  annSelectedNode,
  isFullyBound,
  isVolumeBoundToClaim,
} from '../../../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import { defined } from '../../../../machinery/json/defined.ts';
import { LoopbackClient } from '../../../../resources/loopback-client.ts';
import type { Writer } from '../../../../resources/rest.ts';
import type { Reservation } from '../../framework/plugin.ts';
import type { AssumedVolumes } from './assumed-volumes.ts';
import type { VolumeListers } from './volume-listers.ts';

/** The volumes that a pod needs on a node. */
export interface PodVolumes {
  readonly bindings: readonly { readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim }[];
  /** Claims whose volumes must be provisioned. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** Milliseconds until volumes must be bound. (DefaultBindTimeoutSeconds) */
const bindTimeoutMs = 600_000;

/** Requests the binding or provisioning of volumes, and waits for it. (plugins/volumebinding/binder.go) */
export class VolumeBinder {
  readonly #context: Pick<ControllerContext, 'stores'>;
  readonly #listers: VolumeListers;
  readonly #writer: Writer;
  readonly #waiting = new Set<() => void>();
  readonly #stop: () => void;
  #closed = false;

  constructor(context: Pick<ControllerContext, 'stores'>, listers: VolumeListers, writer: Writer) {
    this.#context = context;
    this.#listers = listers;
    this.#writer = writer;
    const wake = (): void => {
      for (const check of this.#waiting) check();
    };
    this.#stop = listers.claims.addEventHandler({ onUpdate: wake, onDelete: wake });
  }

  /** (AssumePodVolumes) */
  reserve(node: string, { bindings, provisions }: PodVolumes, assumed: AssumedVolumes): Reservation {
    for (const { volume, claim } of bindings) assumed.bind(volume, claim);
    for (const claim of provisions) assumed.select(claim, node);
    const release = (): void => {
      for (const { volume } of bindings) assumed.unbind(volume);
      for (const claim of provisions) assumed.deselect(claim);
    };
    const preBind = async (): Promise<void> => {
      await this.#write({ bindings, provisions }, node);
      const claims = [...bindings.map(({ claim }) => claim), ...provisions];
      await this.#bound({ claims, provisions, node });
      release();
    };
    return { preBind, release };
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    for (const check of this.#waiting) check();
  }

  /** (bindAPIUpdate) */
  async #write({ bindings, provisions }: PodVolumes, node: string): Promise<void> {
    const { stores } = this.#context;
    const open = { group: '', version: 'v1' };
    const volumes = await LoopbackClient.open<PersistentVolume>(stores, { ...open, resource: 'persistentvolumes' }, this.#writer);
    const claims = await LoopbackClient.open<PersistentVolumeClaim>(stores, { ...open, resource: 'persistentvolumeclaims' }, this.#writer);
    for (const { volume, claim } of bindings) await volumes.update(boundTo(volume, claim));
    for (const { metadata } of provisions) {
      const { namespace = '', name = '' } = metadata;
      await claims.change({ namespace, name }, (current) => {
        current.metadata.annotations = { ...current.metadata.annotations, [annSelectedNode]: node };
        return current;
      });
    }
  }

  /**
   * Resolves when the claims are bound.
   *
   * @throws Error if they cannot be bound
   */
  #bound(wanted: WantedClaims): Promise<void> {
    return new Promise((resolve, reject) => {
      let cancel: () => void = () => undefined;
      const end = (problem: string | undefined): void => {
        this.#waiting.delete(check);
        cancel();
        if (problem === undefined) resolve();
        else reject(new Error(`running PreBind plugin "VolumeBinding": binding volumes: ${problem}`));
      };
      const check = (): void => {
        const problem = this.#closed ? 'context canceled' : this.#problemOf(wanted);
        if (problem !== undefined || wanted.claims.every((claim) => this.#isBound(claim))) end(problem);
      };
      this.#waiting.add(check);
      cancel = this.#context.stores.clock.after(bindTimeoutMs, () => end('context deadline exceeded'));
      check();
    });
  }

  #current({ metadata: { namespace = '', name = '' } }: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
    return this.#listers.claims.get(namespace, name);
  }

  #isBound(claim: PersistentVolumeClaim): boolean {
    const current = this.#current(claim);
    return current !== undefined && isFullyBound(current);
  }

  /** (checkBindings) */
  #problemOf({ claims, provisions, node }: WantedClaims): string | undefined {
    const missing = claims.find((claim) => this.#current(claim) === undefined);
    if (missing !== undefined) {
      const { namespace, name } = missing.metadata;
      return `failed to check binding: could not find object for key "${namespace}/${name}"`;
    }
    const dropped = provisions.find((claim) => this.#current(claim)?.metadata.annotations?.[annSelectedNode] !== node);
    return dropped && `provisioning failed for PVC "${dropped.metadata.name}"`;
  }
}

interface WantedClaims {
  readonly claims: readonly PersistentVolumeClaim[];
  /** The claims whose volumes are provisioned. */
  readonly provisions: readonly PersistentVolumeClaim[];
  readonly node: string;
}

/** (GetBindVolumeToClaim) */
function boundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const { annotations } = volume.metadata;
  const metadata = isVolumeBoundToClaim(volume, claim)
    ? volume.metadata
    : { ...volume.metadata, annotations: { ...annotations, [annBoundByController]: 'yes' } };
  return { ...volume, metadata, spec: { ...volume.spec, claimRef: defined(claimRef) } };
}
