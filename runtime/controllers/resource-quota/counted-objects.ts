import type { Measure } from '../../admission/quota/evaluator.ts';
import { isInScopes, type Quota } from '../../admission/quota/quota.ts';
import { type Amounts, countOf, zero } from '../../machinery/scalars/resource-amounts.ts';
import type { Collection } from '../../storage/object-store/contract.ts';

/** The usage of one resource's objects in one namespace. */
export interface NamespaceUsage {
  /** Resolves when all objects are counted; undefined if they are. */
  whenCounted(quota: Quota): Promise<void> | undefined;
  /** The usage, for each resource of the quota that the objects can use. */
  usage(quota: Quota): Amounts;
  /** The total usage that deleted and changed objects have released since the start; never decreases. */
  released(quota: Quota): Amounts;
  /** Drops all other quotas. @param uids of quotas */
  retain(uids: ReadonlySet<string>): void;
  close(): void;
}

/** Objects with the same usage. None of them is decoded. */
export class CountedObjects implements NamespaceUsage {
  readonly #collection: Collection;
  readonly #namespace: string;
  readonly #each: Measure;
  readonly close: () => void;
  #deleted = 0;

  constructor(collection: Collection, namespace: string, each: Measure, onChange: () => void) {
    this.#collection = collection;
    this.#namespace = namespace;
    this.#each = each;
    this.close = collection.watch({
      namespace,
      after: collection.latest().revision,
      onEvent: ({ type }) => {
        if (type === 'DELETED') this.#deleted++;
        if (type !== 'MODIFIED') onChange();
      },
    });
  }

  whenCounted(): undefined {
    return undefined;
  }

  usage(quota: Quota): Amounts {
    return this.#amountsOf(quota, this.#collection.latest().count(this.#namespace));
  }

  released(quota: Quota): Amounts {
    return this.#amountsOf(quota, this.#deleted);
  }

  #amountsOf(quota: Quota, objects: number): Amounts {
    const count = isInScopes(quota, this.#each) ? countOf(objects) : zero;
    const names = [...this.#each.usage.keys()].filter((name) => quota.spec.has(name));
    return new Map(names.map((name) => [name, count]));
  }

  retain(): void {
    // there is no state of a quota to drop
  }
}
