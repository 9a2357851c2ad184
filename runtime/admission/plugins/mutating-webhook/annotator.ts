import { stringifyJson } from '../../../codec/json.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { sortedKeys } from '../../../machinery/go/key-order.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json } from '../../../machinery/object.ts';
import type { WebhookAccessor } from '../../webhook/accessor.ts';

const mutationPrefix = 'mutation.webhook.admission.k8s.io/';
const patchPrefix = 'patch.webhook.admission.k8s.io/';

/** Records the effect of one webhook call in the audit annotations. (webhookAnnotator) */
export class WebhookAnnotator {
  readonly #attributes: Attributes;
  readonly #call: string;
  readonly #names: { readonly configuration: string; readonly webhook: string };

  /** @param index the place of the webhook among all webhooks */
  constructor(attributes: Attributes, { configurationName, webhook }: WebhookAccessor, index: number) {
    this.#attributes = attributes;
    this.#call = `round_${attributes.reinvocation.isRunning ? 1 : 0}_index_${index}`;
    this.#names = { configuration: configurationName, webhook: webhook.name };
  }

  addMutation(mutated: boolean): void {
    this.#attributes.addAnnotation(mutationPrefix + this.#call, JSON.stringify({ ...this.#names, mutated }));
  }

  addFailedOpen(): void {
    this.#attributes.addAnnotation(`failed-open.${mutationPrefix}${this.#call}`, this.#names.webhook);
  }

  /** Records a patch only if the audit policy records the request's body. */
  addPatch(patch: readonly Json[]): void {
    const sorted = patch.map((operation) =>
      isJsonObject(operation) ? Object.fromEntries(sortedKeys(operation).map((key) => [key, operation[key]])) : operation,
    );
    const value = stringifyJson({ ...this.#names, patch: sorted, patchType: 'JSONPatch' });
    this.#attributes.addAnnotation(patchPrefix + this.#call, value, 'Request');
  }
}
