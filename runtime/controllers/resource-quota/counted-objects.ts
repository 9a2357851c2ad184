import type { Measure } from '../../admission/quota/evaluator.ts';
import { isInScopes, type Quota } from '../../admission/quota/quota.ts';
import { type Amounts, countOf, zero } from '../../machinery/scalars/resource-amounts.ts';
import type { Collection } from '../../storage/object-store/contract.ts';

/** What the objects of one resource in one namespace count for. */
export interface NamespaceUsage {
  /** Undefined if everything is counted. */
  whenCounted(quota: Quota): Promise<void> | undefined;
  /** Of each resource of the quota that the objects can count for. */
  usage(quota: Quota): Amounts;
  /** How much objects have ceased to count for since this began, all together; never less than at an earlier call. */
  released(quota: Quota): Amounts;
  /** Forgets all other quotas. @param uids of quotas */
  retain(uids: ReadonlySet<string>): void;
  close(): void;
}

/** Objects that all count for the same. None of them is decoded. */
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
    // nothing is kept for a quota
  }
}
