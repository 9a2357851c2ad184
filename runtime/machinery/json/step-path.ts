import { excerpt } from '../errors/excerpt.ts';
import { maxExcerptLength } from '../limits.ts';

/** One step of a path: a field's name or an index. */
export type Step = string | number;

/** Adds a step to a path: `spec.ports[0].name`. A step that a message would cut off is not added. */
export function withStep(path: string, step: Step): string {
  if (path.length > maxExcerptLength) return path;
  if (typeof step === 'number') return excerpt(`${path}[${step}]`);
  return excerpt(path === '' ? step : `${path}.${step}`);
}

/**
 * The position of a walk through a document. The text of each step is made at most once, on first use, so a hundred
 * thousand reports below one deep position cost no more than their own names.
 */
export class StepPath {
  readonly #steps: Step[] = [];
  /** The texts of the first steps, filled on demand. */
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
    let text = texts.at(-1) ?? '';
    for (const step of this.#steps.slice(texts.length)) {
      text = withStep(text, step);
      texts.push(text);
    }
    return text;
  }
}
