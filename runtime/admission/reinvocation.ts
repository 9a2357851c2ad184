import type { Attributes, Reinvocation } from '../machinery/admission.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import { equalJson, semanticDeepEqual } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { TypeDefinition } from '../machinery/resource.ts';

/**
 * Which webhooks, or which policies, see an object again after it has changed. (mutating webhook and policy
 * reinvocationcontext.go)
 */
export class ReinvokeContext {
  readonly #invoked = new Set<string>();
  readonly #reinvoked = new Set<string>();
  #output: KubeObject | undefined;

  /** Notes a call of one that wants to see later changes. */
  addReinvocable(key: string): void {
    this.#invoked.add(key);
  }

  /** The object has changed, so those that were called until now are called again. */
  requireReinvocation(): void {
    for (const key of this.#invoked) this.#reinvoked.add(key);
    this.#invoked.clear();
  }

  shouldReinvoke(key: string): boolean {
    return this.#reinvoked.has(key);
  }

  /** Remembers what they have made of the object, if that is ever compared. */
  setOutput({ object }: Attributes): void {
    if (this.#invoked.size > 0) this.#output = object && cloneJson(object);
  }

  /** Other plugins may have changed the object since the last `setOutput`. */
  noticeChanges({ object, type, reinvocation }: Attributes): void {
    if (!reinvocation.isRunning || this.#invoked.size === 0) return;
    if (!isSameObject(type, this.#output, object)) this.requireReinvocation();
  }
}

/** The contexts of writes that one plugin has changed, whether it is asked for the first or the second time. */
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

/** Whether two objects of a type are the same to Go, which does not know absent members of types from empty ones. */
export const isSameObject = (type: TypeDefinition, a: KubeObject | undefined, b: KubeObject | undefined): boolean =>
  (type.unstructured ? equalJson : semanticDeepEqual)(a, b);
