import type { Evaluator, Measure } from '../../admission/quota/evaluator.ts';
import type { Quota } from '../../admission/quota/quota.ts';
import type { Clock } from '../../machinery/clock.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { Amounts } from '../../machinery/scalars/resource-amounts.ts';
import type { Collection, CollectionSnapshot, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { NamespaceUsage } from './counted-objects.ts';
import { QuotaTotal } from './quota-total.ts';

export interface MeasuredObjectsOptions {
  readonly collection: Collection;
  readonly namespace: string;
  readonly evaluator: Evaluator;
  readonly clock: Clock;
  onChange(): void;
  report(error: unknown): void;
}

interface CountingTotal {
  readonly total: QuotaTotal;
  /** Resolves when the total includes all objects; undefined if it does. */
  counting: Promise<void> | undefined;
}

/** The maximum number of measures that are kept for sharing. */
const mostShared = 1024;

/**
 * Objects with different usage. Each object is measured when it changes, and added to the totals of the quotas at once.
 * Loading and adding up yield to the event loop; a total takes part in all changes from its beginning.
 */
export class MeasuredObjects implements NamespaceUsage {
  readonly #options: MeasuredObjectsOptions;
  readonly #measures = new Map<string, Measure>();
  readonly #shared = new Map<string, Measure>();
  readonly #totals = new Map<string, CountingTotal>();
  readonly #timers = new Map<string, () => void>();
  readonly #stop: () => void;
  /** Objects that changed after the snapshot that is being loaded. */
  #changed: Set<string> | undefined = new Set();
  #loading: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: MeasuredObjectsOptions) {
    this.#options = options;
    const { collection, namespace } = options;
    const snapshot = collection.latest();
    this.#stop = collection.watch({
      namespace,
      after: snapshot.revision,
      onEvent: (event) => this.#onEvent(event),
    });
    this.#loading = this.#load(snapshot).finally(() => {
      this.#changed = undefined;
      this.#loading = undefined;
    });
  }

  whenCounted(quota: Quota): Promise<void> | undefined {
    const { counting } = this.#totalOf(quota);
    return this.#loading ?? counting;
  }

  usage(quota: Quota): Amounts {
    return this.#totalOf(quota).total.amounts;
  }

  released(quota: Quota): Amounts {
    return this.#totalOf(quota).total.released;
  }

  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#totals.keys()) if (!uids.has(uid)) this.#totals.delete(uid);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    for (const cancel of this.#timers.values()) cancel();
  }

  #totalOf(quota: Quota): CountingTotal {
    const known = this.#totals.get(quota.uid);
    if (known?.total.isOf(quota)) return known;
    const total = new QuotaTotal(quota, this.#options.evaluator);
    const counting: CountingTotal = { total, counting: undefined };
    this.#totals.set(quota.uid, counting);
    if (this.#measures.size > 0) {
      counting.counting = this.#addUp(total, [...this.#measures.values()]).finally(() => {
        counting.counting = undefined;
      });
    }
    return counting;
  }

  async #addUp(total: QuotaTotal, measures: readonly Measure[]): Promise<void> {
    const slice = new TimeSlice();
    for (const measure of measures) {
      total.add(measure);
      if (slice.isOver) await slice.next();
    }
  }

  async #load(snapshot: CollectionSnapshot): Promise<void> {
    const slice = new TimeSlice();
    for (const stored of snapshot.scan({ namespace: this.#options.namespace })) {
      if (this.#isClosed) return;
      if (!this.#changed?.has(stored.name)) this.#measure(stored);
      if (slice.isOver) await slice.next();
    }
  }

  #onEvent({ type, object }: ObjectEvent): void {
    this.#changed?.add(object.name);
    if (type === 'DELETED') this.#set(object.name, undefined);
    else this.#measure(object);
  }

  #measure(stored: StoredObject): void {
    const { evaluator, clock, report } = this.#options;
    try {
      this.#set(stored.name, this.#share(evaluator.measure(stored.decode(), clock.now())));
    } catch (error) {
      report(error);
    }
  }

  #set(name: string, measure: Measure | undefined): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
    if (measure?.until !== undefined) this.#measureAt(name, measure.until);
    const before = this.#measures.get(name);
    if (before === measure) return;
    if (measure === undefined) this.#measures.delete(name);
    else this.#measures.set(name, measure);
    for (const { total } of this.#totals.values()) total.replace(before, measure);
    this.#options.onChange();
  }

  #measureAt(name: string, time: number): void {
    const { clock, collection, namespace } = this.#options;
    const cancel = clock.after(time - clock.now() + 1, () => {
      const stored = collection.latest().get(namespace, name);
      if (stored !== undefined) this.#measure(stored);
    });
    this.#timers.set(name, cancel);
  }

  /** Returns an equal measure if there is one, because many objects have the same usage. */
  #share(measure: Measure): Measure {
    if (measure.until !== undefined) return measure;
    const key = keyOf(measure);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    if (this.#shared.size >= mostShared) this.#shared.clear();
    this.#shared.set(key, measure);
    return measure;
  }
}

function keyOf({ usage, scopes }: Measure): string {
  let key = JSON.stringify([[...scopes.in], scopes.values]);
  for (const [name, { unscaled, scale, format }] of usage) key += `,${name}=${unscaled}e${scale}${format}`;
  return key;
}
