import type { PersistentVolume, PersistentVolumeClaim } from '../../../../../generated/v1.35/core/v1/types.ts';

/** Volumes of pods that are about to be bound, before the store shows them. (volumebinding AssumeCache) */
export class AssumedVolumes {
  /** The claim to be bound, by the name of its volume. */
  readonly #volumes = new Map<string, PersistentVolumeClaim>();
  /** The node that will use a claim, by the claim's uid. */
  readonly #nodes = new Map<string, string>();

  bind({ metadata: { name = '' } }: PersistentVolume, claim: PersistentVolumeClaim): void {
    this.#volumes.set(name, claim);
  }

  unbind({ metadata: { name = '' } }: PersistentVolume): void {
    this.#volumes.delete(name);
  }

  isFreeFor({ metadata: { name = '' } }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
    const claim = this.#volumes.get(name);
    return claim === undefined || claim.metadata.uid === metadata.uid;
  }

  select({ metadata: { uid = '' } }: PersistentVolumeClaim, node: string): void {
    this.#nodes.set(uid, node);
  }

  deselect({ metadata: { uid = '' } }: PersistentVolumeClaim): void {
    this.#nodes.delete(uid);
  }

  nodeOf({ metadata: { uid = '' } }: PersistentVolumeClaim): string | undefined {
    return this.#nodes.get(uid);
  }
}
