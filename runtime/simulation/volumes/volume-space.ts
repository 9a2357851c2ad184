/** What a pod's volumes may show: files, and their characters. */
const maxFiles = 65_536;
const maxCharacters = 64 * 1024 * 1024;

/** Why a volume cannot be set up. */
export class MountError extends Error {}

/** The room for what the volumes of a pod show. References let small pods ask for any amount of it. */
export class VolumeSpace {
  #files = maxFiles;
  #characters = maxCharacters;

  /** @throws MountError */
  take(content: string): void {
    this.#files--;
    this.#characters -= content.length;
    if (this.#files < 0 || this.#characters < 0) throw new MountError('no space left on device');
  }
}
