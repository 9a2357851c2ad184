import type { PersistentVolume, PersistentVolumeClaim } from '../../../../../generated/v1.35/core/v1/types.ts';

/** What pods that are about to be bound have been promised, before anybody can read it. (volumebinding AssumeCache) */
export class AssumedVolumes {
  /** The claim that a volume will be bound to, by the name of the volume. */
  readonly #volumes = new Map<string, PersistentVolumeClaim>();
  /** The node on which a claim will be used, by the uid of the claim. */
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
