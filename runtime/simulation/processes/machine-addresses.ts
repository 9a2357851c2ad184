import { randomInt } from 'node:crypto';

/** The last two bytes of addresses. */
const first = 2;
const last = 65_534;

/**
 * Addresses of this machine for pods: on Linux, each has one of 127.0.0.0/8, in a range that the server chooses by
 * chance. Elsewhere, all have 127.0.0.1.
 */
export class MachineAddresses {
  readonly #range = `127.${randomInt(16, 255)}`;
  readonly #taken = new Set<string>();
  #next = first;

  take(): string {
    if (process.platform !== 'linux') return '127.0.0.1';
    for (;;) {
      const address = `${this.#range}.${this.#next >> 8}.${this.#next & 255}`;
      this.#next = this.#next >= last ? first : this.#next + 1;
      if (this.#taken.has(address)) continue;
      this.#taken.add(address);
      return address;
    }
  }

  release(address: string): void {
    this.#taken.delete(address);
  }
}
