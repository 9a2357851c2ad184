import { excerpt } from '../errors/excerpt.ts';
import { maxExcerptLength } from '../limits.ts';

/** One step of a path: a field's name or an index. */
export type Step = string | number;

/** A path with one step more, as `spec.ports[0].name`. What a message would cut off is not written. */
export function withStep(path: string, step: Step): string {
  if (path.length > maxExcerptLength) return path;
  if (typeof step === 'number') return excerpt(`${path}[${step}]`);
  return excerpt(path === '' ? step : `${path}.${step}`);
}

/**
 * Where a walk through a document is. The text of each step is written at most once, when it is first asked for: a
 * hundred thousand reports below one deep place cost what that many names cost.
 */
export class StepPath {
  readonly #steps: Step[] = [];
  /** The texts of the first steps, as far as they are known. */
  readonly #texts: string[] = [];

  enter(step: Step): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
    if (this.#texts.length > this.#steps.length) this.#texts.pop();
  }

  toString(): string {
    const texts = this.#texts;
    for (let depth = texts.length; depth < this.#steps.length; depth++) {
      texts.push(withStep(depth === 0 ? '' : texts[depth - 1], this.#steps[depth]));
    }
    return texts.length === 0 ? '' : texts[texts.length - 1];
  }
}
