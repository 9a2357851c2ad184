import type { Scene } from './scenes.ts';

/** Hands out scenes to the lanes of a run. */
export class SceneQueue {
  readonly #others: Iterator<Scene>;
  /** Scenes that wait for one of the same lane. */
  readonly #waiting = new Map<string, Scene[]>();

  constructor(scenes: Iterable<Scene>) {
    this.#others = scenes[Symbol.iterator]();
  }

  /**
   * Returns a scene that may run now; undefined if there is none.
   *
   * @param last the scene that has ended
   */
  next(last?: Scene): Scene | undefined {
    if (last?.lane !== undefined) {
      const next = this.#waiting.get(last.lane)?.shift();
      if (next !== undefined) return next;
      this.#waiting.delete(last.lane);
    }
    for (let { value, done } = this.#others.next(); !done; { value, done } = this.#others.next()) {
      if (value.lane === undefined) return value;
      const waiting = this.#waiting.get(value.lane);
      if (waiting === undefined) {
        this.#waiting.set(value.lane, []);
        return value;
      }
      waiting.push(value);
    }
    return undefined;
  }
}
