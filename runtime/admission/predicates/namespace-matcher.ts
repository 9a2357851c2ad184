import type { Attributes } from '../../machinery/admission.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';
import { notFoundOrCorrupt } from '../../resources/corrupt-objects.ts';
import type { RESTStorage } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { isCore } from '../resources.ts';
import type { SelectedWrite } from './object-matcher.ts';

type Written = Pick<Attributes, 'definition' | 'namespace' | 'name'>;

const isNamespace = ({ definition }: Written): boolean => isCore(definition, 'namespaces');

/** Returns the namespace for webhooks and policies: the object's namespace, or the name of a written namespace. */
export const admittedNamespace = (written: Written): string => (isNamespace(written) ? written.name : written.namespace);

/** Selects writes by the labels of their namespaces. (apiserver pkg/admission/plugin/webhook/predicates/namespace) */
export class NamespaceMatcher {
  readonly #stores: ResourceStores;
  #namespaces: RESTStorage | undefined;

  constructor(stores: ResourceStores) {
    this.#stores = stores;
  }

  /** Opens the namespaces. Without this call, or on a server without namespaces, they have no labels. */
  async start(): Promise<void> {
    if (this.#stores.serves('', 'v1', 'namespaces')) {
      this.#namespaces = await this.#stores.byResource('', 'v1', 'namespaces');
    }
  }

  /**
   * Reports whether the selector selects the namespace of the object. It selects all writes outside of namespaces. A
   * created or updated namespace is selected by its new labels.
   *
   * @throws StatusError 404 if the namespace does not exist
   */
  matches(selector: LabelSelector, attributes: SelectedWrite): boolean {
    if (selector.isEmpty) return true;
    const { namespace } = attributes;
    if (namespace === '' && !isNamespace(attributes)) return true;
    return selector.matches(this.#labels(attributes));
  }

  #labels(attributes: SelectedWrite): Readonly<Record<string, string>> {
    const { operation, subresource, object } = attributes;
    const isWritten = (operation === 'CREATE' || operation === 'UPDATE') && subresource === '';
    if (isWritten && isNamespace(attributes)) return object?.metadata?.labels ?? {};
    if (this.#namespaces === undefined) return {};
    const { collection, definition } = this.#namespaces;
    const name = admittedNamespace(attributes);
    const stored = collection.latest().get('', name);
    if (stored === undefined) throw notFoundOrCorrupt(collection, definition, { namespace: '', name });
    return stored.labels;
  }
}
