import type { Attributes, Reinvocation } from '../machinery/admission.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import { equalJson, semanticDeepEqual } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { TypeDefinition } from '../machinery/resource.ts';

/**
 * The webhooks or policies that are called again after an object has changed. (mutating webhook and policy
 * reinvocationcontext.go)
 */
export class ReinvokeContext {
  readonly #invoked = new Set<string>();
  readonly #reinvoked = new Set<string>();
  #output: KubeObject | undefined;

  /** Records a call of a webhook or policy that must see later changes. */
  addReinvocable(key: string): void {
    this.#invoked.add(key);
  }

  /** Schedules the recorded calls again, because the object has changed. */
  requireReinvocation(): void {
    for (const key of this.#invoked) this.#reinvoked.add(key);
    this.#invoked.clear();
  }

  shouldReinvoke(key: string): boolean {
    return this.#reinvoked.has(key);
  }

  /** Remembers the object after the plugin's changes, if a later comparison is possible. */
  setOutput({ object }: Attributes): void {
    if (this.#invoked.size > 0) this.#output = object && cloneJson(object);
  }

  /** Schedules the recorded calls if other plugins have changed the object since the last `setOutput`. */
  noticeChanges({ object, type, reinvocation }: Attributes): void {
    if (!reinvocation.isRunning || this.#invoked.size === 0) return;
    if (!isSameObject(type, this.#output, object)) this.requireReinvocation();
  }
}

/** The contexts of the writes that one plugin has changed, for its first and second call. */
export class ReinvokeContexts {
  readonly #contexts = new WeakMap<Reinvocation, ReinvokeContext>();

  of({ reinvocation }: Attributes): ReinvokeContext {
    let context = this.#contexts.get(reinvocation);
    if (context === undefined) {
      context = new ReinvokeContext();
      this.#contexts.set(reinvocation, context);
    }
    return context;
  }
}

/** Reports whether two objects are equal to Go, in which absent and empty members of types are the same. */
export const isSameObject = (type: TypeDefinition, a: KubeObject | undefined, b: KubeObject | undefined): boolean =>
  (type.unstructured ? equalJson : semanticDeepEqual)(a, b);
