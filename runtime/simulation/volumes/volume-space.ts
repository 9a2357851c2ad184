/** The most files in a pod's volumes, and their characters. */
const maxFiles = 65_536;
const maxCharacters = 64 * 1024 * 1024;

/** A volume cannot be set up. */
export class MountError extends Error {}

/** The room for the content of a pod's volumes. References let small pods request any amount of it. */
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
