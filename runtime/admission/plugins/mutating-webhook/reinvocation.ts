import type { Attributes } from '../../../machinery/admission.ts';
import { cloneJson } from '../../../machinery/json/clone.ts';
import { semanticDeepEqual } from '../../../machinery/json/equality.ts';
import type { KubeObject } from '../../../machinery/object.ts';

/** Which webhooks see an object again after others have changed it. (reinvocationcontext.go webhookReinvokeContext) */
export class WebhookReinvocation {
  readonly #invoked = new Set<string>();
  readonly #reinvoked = new Set<string>();
  #output: KubeObject | undefined;

  /** Notes a call of a webhook that wants to see later changes. */
  addReinvocable(uid: string): void {
    this.#invoked.add(uid);
  }

  /** The object has changed, so the webhooks that were called until now are called again. */
  requireReinvocation(): void {
    for (const uid of this.#invoked) this.#reinvoked.add(uid);
    this.#invoked.clear();
  }

  shouldReinvoke(uid: string): boolean {
    return this.#reinvoked.has(uid);
  }

  /** What webhooks have made of the object. */
  setOutput({ object }: Attributes): void {
    this.#output = object && cloneJson(object);
  }

  /** Whether other plugins have changed the object since the last `setOutput`. */
  isOutputChanged({ object }: Attributes): boolean {
    return !semanticDeepEqual(this.#output, object);
  }
}
