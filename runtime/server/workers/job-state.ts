import { registryPrefix } from '../../storage/object-store/keys.ts';
import type { Ask } from './ask.ts';
import type { JobFacts } from './facts.ts';
import type { PlannedEffects } from './planned-effects.ts';
import type { PlannedObject } from './planned-object.ts';

/** What the current job of a thread knows and plans. */
export class JobState {
  readonly ask: Ask;
  readonly effects: PlannedEffects;
  #facts: JobFacts = { revision: 0, objects: [], root: registryPrefix, checksSize: true };
  readonly #planned = new Map<string, PlannedObject | undefined>();

  constructor(ask: Ask, effects: PlannedEffects) {
    this.ask = ask;
    this.effects = effects;
  }

  /** Starts a job. */
  begin(facts: JobFacts): void {
    this.#facts = facts;
    this.#planned.clear();
  }

  get facts(): JobFacts {
    return this.#facts;
  }

  /** Returns why the server could not store the object of the last run, once. */
  takeRefusal(): string | undefined {
    const { refusal } = this.#facts;
    if (refusal !== undefined) this.#facts = { ...this.#facts, refusal: undefined };
    return refusal;
  }

  /** Returns an object after the planned writes, undefined after a planned deletion; `unplanned` if there is no write of it. */
  planned(key: string): PlannedObject | undefined | 'unplanned' {
    return this.#planned.has(key) ? this.#planned.get(key) : 'unplanned';
  }

  plan(key: string, object: PlannedObject | undefined): void {
    this.#planned.set(key, object);
  }
}
