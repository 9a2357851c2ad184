import type { ParamKind, ParamRef } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { spend } from '../../machinery/event-loop/budget.ts';
import { type GroupVersionKind, parseGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import type { RegistryEntry } from '../../resources/registry.ts';
import type { RESTStorage } from '../../resources/rest.ts';
import type { RESTMapper } from '../../resources/rest-mapper.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readStored } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { Arrivals } from '../retry-when-arrived.ts';
import { ConfigurationError } from './policy.ts';

/** The maximum number of cached decoded parameters. */
const keptParams = 1024;
/** Microseconds to check the labels of one object. */
const perObject = 0.3;
/** Microseconds to decode one byte. */
const perByte = 0.01;

interface DecodedParam {
  readonly revision: number;
  /** The definition with which a custom resource was decoded. */
  readonly definition: ResourceDefinition;
  readonly object: KubeObject;
}

/** The collection with the parameters of a policy. */
export interface ParamSource {
  readonly kind: GroupVersionKind;
  readonly definition: ResourceDefinition;
  readonly storage: RESTStorage;
}

/** Values that one request has waited for, by key. */
export type Waited = Arrivals<string, unknown>;

/** Reads the parameters of policies: objects of any kind. (policy/generic CollectParams) */
export class ParamReader {
  readonly #stores: ResourceStores;
  readonly #mapper: RESTMapper;
  readonly #decoded = new BoundedMap<string, DecodedParam>(keptParams);

  constructor(stores: ResourceStores, mapper: RESTMapper) {
    this.#stores = stores;
    this.#mapper = mapper;
  }

  /** @throws ConfigurationError for an unknown kind */
  source({ apiVersion = '', kind = '' }: ParamKind, waited: Waited): ParamSource {
    const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
    const gvk = { group, version, kind };
    const entry = waited.get(`kind ${apiVersion} ${kind}`, () => this.#mapper.mapping(gvk)) as RegistryEntry | undefined;
    if (entry === undefined) {
      const shown = `${group}/${version}, Kind=${kind}`;
      throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
    }
    const definition = waited.get(`definition ${apiVersion} ${kind}`, () => entry.definition ?? entry.load());
    const opened = definition as ResourceDefinition;
    const storage = waited.get(`store ${apiVersion} ${kind}`, () => this.#stores.ifOpen(opened) ?? this.#stores.open(opened));
    return { kind: gvk, definition: opened, storage: storage as RESTStorage };
  }

  /**
   * Returns the parameters that a binding refers to. The member undefined means an evaluation without parameters. Empty
   * if none exist and the binding allows that.
   *
   * @param source undefined for a policy without parameters
   * @param namespace the namespace of the written object
   * @throws ConfigurationError
   */
  collect(
    source: ParamSource | undefined,
    paramRef: ParamRef | undefined,
    namespace: string,
    waited: Waited,
  ): readonly (KubeObject | undefined)[] {
    if (source === undefined || paramRef === undefined) return [undefined];
    const { definition } = source;
    if (definition.namespaced && !paramRef.namespace && namespace === '') {
      throw new ConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
    }
    if (!definition.namespaced && paramRef.namespace) {
      throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    }
    const found = this.#find(source, paramRef, definition.namespaced ? paramRef.namespace || namespace : '');
    if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny') {
      throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    return found.map((stored) => this.#decode(definition, stored, waited));
  }

  #find({ storage }: ParamSource, { name, selector }: ParamRef, namespace: string): StoredObject[] {
    const latest = storage.collection.latest();
    if (name) {
      if (selector !== undefined) {
        throw new ConfigurationError('paramRef.name and paramRef.selector are mutually exclusive');
      }
      const stored = latest.get(namespace, name);
      return stored === undefined ? [] : [stored];
    }
    if (selector === undefined) throw new ConfigurationError('one of name or selector must be provided');
    const labels = labelSelectorFromObject(selector);
    const found: StoredObject[] = [];
    for (const stored of latest.scan({ namespace })) {
      spend(perObject);
      if (labels.matches(stored.labels)) found.push(stored);
    }
    return found;
  }

  #decode(definition: ResourceDefinition, stored: StoredObject, waited: Waited): KubeObject {
    const { group, version, resource } = definition;
    const key = `${group}/${version}/${resource}/${stored.namespace}/${stored.name}`;
    const known = this.#decoded.get(key);
    if (known?.revision === stored.revision && known.definition === definition) return known.object;
    spend(stored.jsonLength * perByte);
    const object = waited.get(`param ${key}`, () => readStored(definition, stored)) as KubeObject;
    this.#decoded.set(key, { revision: stored.revision, definition, object });
    return object;
  }
}
