import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';

/**
 * The pod selectors of the synced autoscalers. They detect two autoscalers that scale the same pod.
 * (pkg/controller/util/selectors, BiMultimap)
 */
export class AutoscalerSelectors {
  /** Selectors by namespace and name. Undefined, which selects nothing, until an autoscaler's first sync. */
  readonly #selectors = new Map<string, Map<string, LabelSelector | undefined>>();

  add({ namespace, name }: ObjectKey): void {
    const inNamespace = this.#selectors.get(namespace) ?? new Map<string, LabelSelector | undefined>();
    if (!inNamespace.has(name)) inNamespace.set(name, undefined);
    this.#selectors.set(namespace, inNamespace);
  }

  /** Sets a selector, unless the autoscaler was deleted meanwhile. */
  set({ namespace, name }: ObjectKey, selector: LabelSelector): void {
    const inNamespace = this.#selectors.get(namespace);
    if (inNamespace?.has(name)) inNamespace.set(name, selector);
  }

  delete({ namespace, name }: ObjectKey): void {
    const inNamespace = this.#selectors.get(namespace);
    inNamespace?.delete(name);
    if (inNamespace?.size === 0) this.#selectors.delete(namespace);
  }

  /** Returns the autoscalers that select any of the pods of a namespace, as `namespace/name`, in order. */
  selecting(namespace: string, pods: readonly Pod[]): string[] {
    const labelSets = new Map(pods.map(({ metadata: { labels } }) => [JSON.stringify(labels), labels]));
    const found = [...(this.#selectors.get(namespace) ?? [])].filter(([, selector]) =>
      [...labelSets.values()].some((labels) => selector?.matches(labels)),
    );
    return found.map(([name]) => `${namespace}/${name}`).sort();
  }
}
