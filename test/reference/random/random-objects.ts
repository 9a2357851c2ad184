import { Random } from '../../support/random.ts';

/** Random choices of values in objects. */
export class Choices extends Random {
  /** Some of the items, one at least; an item may stand there twice. */
  some<T>(items: readonly T[], most: number): T[] {
    return Array.from({ length: this.between(1, most) }, () => this.pick(items));
  }

  /** The members with a probability, or none. */
  maybe<T extends object>(probability: number, members: T | (() => T)): Partial<T> {
    if (!this.chance(probability)) return {};
    return typeof members === 'function' ? members() : members;
  }
}
