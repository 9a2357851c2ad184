import { memberAt } from '../../machinery/json/member-path.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readStored } from '../../resources/views.ts';
import { controllerOf } from '../controller-ref-manager.ts';

/** A controller, and how many pods it should have. */
export interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/**
 * Asks the controllers of pods for their scales: that of the deployment for pods of its ReplicaSets, and that of any kind with
 * the subresource scale. (pkg/controller/disruption, finders)
 */
export class ControllerScales {
  readonly #stores: ResourceStores;
  readonly #mapper: RESTMapper;

  constructor(stores: ResourceStores) {
    this.#stores = stores;
    this.#mapper = new RESTMapper(stores.registry);
  }

  /**
   * Undefined if the controller is gone.
   *
   * @throws Error if there is no such kind, or it has no scale
   */
  async find(reference: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const definition = await this.#definitionOf(reference);
    const paths = definition.subresources.find(({ name }) => name === 'scale')?.scale;
    if (paths === undefined) {
      const resource = definition.group === '' ? definition.resource : `${definition.resource}.${definition.group}`;
      throw new Error(`${resource} does not implement the scale subresource`);
    }
    const owner = await this.#read(definition, namespace, reference.name);
    if (owner?.metadata.uid !== reference.uid) return undefined;
    const upper = controllerOf(owner);
    if (definition.group === 'apps' && definition.kind === 'ReplicaSet' && upper?.kind === 'Deployment') {
      return this.find(upper, namespace);
    }
    return { uid: reference.uid, replicas: Number(memberAt(owner, paths.specReplicas) ?? 0) };
  }

  async #definitionOf({ apiVersion, kind }: OwnerReference): Promise<ResourceDefinition> {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const entry = await this.#mapper.mapping({ group, version, kind });
    if (entry === undefined) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
    return entry.load();
  }

  async #read(definition: ResourceDefinition, namespace: string, name: string): Promise<KubeObject | undefined> {
    const { collection } = await this.#stores.of(definition);
    const stored = collection.latest().get(namespace, name);
    return stored && readStored(definition, stored);
  }
}
