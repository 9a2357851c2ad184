import type { Random } from '../../machinery/random.ts';
import { SeededRandom } from '../random/seeded-random.ts';
import type { FaultOccurrence } from './fault-plan.ts';

/** Decides for successive matching requests whether they are hit. */
export class Occurrence {
  #toSkip: number;
  #left: number;
  readonly #probability: number;
  readonly #random: Random;

  constructor({ skip = 0, count = Number.POSITIVE_INFINITY, probability = '1', seed = 0 }: FaultOccurrence = {}) {
    this.#toSkip = skip;
    this.#left = count;
    this.#probability = Number(probability);
    this.#random = new SeededRandom(seed);
  }

  next(): boolean {
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return false;
    }
    if (this.#left === 0 || this.#random.float('fault') >= this.#probability) return false;
    this.#left--;
    return true;
  }
}
