import type { Reinvocation } from '../../../machinery/admission.ts';
import { cloneJson } from '../../../machinery/json/clone.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { type KubeObject, unstructuredContent } from '../../../machinery/object.ts';

/** Which policies have to be asked once more about one write. (policy/mutating policyReinvokeContext) */
export class PolicyReinvocation {
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #lastOutput: KubeObject | undefined;

  shouldReinvoke(key: string): boolean {
    return this.#again.has(key);
  }

  /** Before policies are asked for the second time: others may have changed the object since. */
  noticeChanges(object: KubeObject | undefined): void {
    if (this.#invoked.size === 0 || object === undefined || this.#lastOutput === undefined) return;
    if (!equalJson(unstructuredContent(this.#lastOutput), unstructuredContent(object))) this.requireReinvocation();
  }

  /** The policies that were asked so far have to see a change. */
  requireReinvocation(): void {
    for (const key of this.#invoked) this.#again.add(key);
    this.#invoked.clear();
  }

  addInvoked(key: string): void {
    this.#invoked.add(key);
  }

  /** Remembers what the policies have made of the object, if that is ever compared. */
  setLastOutput(object: KubeObject | undefined): void {
    if (this.#invoked.size > 0) this.#lastOutput = cloneJson(object);
  }
}

const contexts = new WeakMap<Reinvocation, PolicyReinvocation>();

/** The one of a write, whether its plugins are asked for the first or the second time. */
export function policyReinvocationOf(reinvocation: Reinvocation): PolicyReinvocation {
  let context = contexts.get(reinvocation);
  if (context === undefined) {
    context = new PolicyReinvocation();
    contexts.set(reinvocation, context);
  }
  return context;
}
