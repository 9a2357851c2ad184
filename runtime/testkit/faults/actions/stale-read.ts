import type { ApiContext, Next } from '../../../http/context.ts';
import { queryValue } from '../../../http/query-string.ts';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import type { StaleReadFault } from '../fault-plan.ts';
import { RevisionTimes } from '../revision-times.ts';
import type { FaultAction, FaultedServer } from './action.ts';

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Serves an older state to reads that accept any version. */
export class StaleReadAction implements FaultAction {
  readonly #ageMs: number;
  readonly #store: FaultedServer['store'];
  readonly #times: RevisionTimes;

  constructor({ age }: StaleReadFault, { clock, store }: FaultedServer) {
    this.#ageMs = parseMilliseconds(age);
    this.#store = store;
    this.#times = new RevisionTimes(clock, store, this.#ageMs);
  }

  isAbout({ state }: ApiContext): boolean {
    return reads.has(state.requestInfo.verb) && queryValue(state.query, 'resourceVersion') === '0';
  }

  handle({ state }: ApiContext, next: Next): unknown {
    const oldest = this.#store.compactedRevision() + 1;
    const revision = Math.max(this.#times.revisionAgo(this.#ageMs), oldest);
    state.readsAt = Math.min(state.readsAt ?? revision, revision);
    return next();
  }

  stop(): void {
    this.#times.stop();
  }
}
