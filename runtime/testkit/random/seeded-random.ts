import { createHash } from 'node:crypto';
import type { Random } from '../../machinery/random.ts';

/** Random values from a seed. Two servers with one seed and the same requests produce the same values. */
export class SeededRandom implements Random {
  readonly #seed: number;
  /** The number of values drawn, by purpose. */
  readonly #asked: Map<string, number>;

  constructor(seed: number, asked = new Map<string, number>()) {
    this.#seed = seed;
    this.#asked = asked;
  }

  uuid(purpose: string, scope = '', name = ''): string {
    const bytes = this.#digest('uuid', purpose, scope, name);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  float(purpose: string, scope = '', name = ''): number {
    return this.#digest('float', purpose, scope, name).readUIntBE(0, 6) / 2 ** 48;
  }

  bytes(size: number, purpose: string, scope = '', name = ''): Buffer {
    const blocks: Buffer[] = [];
    for (let made = 0; made < size; made += 32) blocks.push(this.#digest('bytes', purpose, scope, name));
    return Buffer.concat(blocks).subarray(0, size);
  }

  /** Returns a copy that continues with the same values. */
  fork(): SeededRandom {
    return new SeededRandom(this.#seed, new Map(this.#asked));
  }

  #digest(...what: readonly string[]): Buffer {
    const key = what.join('\0');
    const before = this.#asked.get(key) ?? 0;
    this.#asked.set(key, before + 1);
    return createHash('sha256').update(`${this.#seed}\0${key}\0${before}`).digest();
  }
}
