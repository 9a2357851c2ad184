import { quote } from '../../machinery/go/quote.ts';
import { formatGroupResource, parseGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import { scaleOf, scalePathsOf } from '../../resources/scale.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readStored } from '../../resources/views.ts';
import { controllerOf } from '../controller-ref-manager.ts';

/** A controller with its desired number of pods. */
export interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/**
 * Finds the scale of a pod's controller: the deployment of its ReplicaSet if there is one, or any kind with the
 * subresource scale. (pkg/controller/disruption, finders)
 */
export class ControllerScales {
  readonly #stores: ResourceStores;
  readonly #mapper: RESTMapper;

  constructor(stores: ResourceStores) {
    this.#stores = stores;
    this.#mapper = new RESTMapper(stores.registry);
  }

  /**
   * Returns undefined if the controller was deleted.
   *
   * @throws Error for an unknown kind, or a kind without a scale
   */
  async find(reference: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const definition = await this.#definitionOf(reference);
    const paths = scalePathsOf(definition);
    if (paths === undefined) {
      throw new Error(`${formatGroupResource(definition)} does not implement the scale subresource`);
    }
    const owner = await this.#read(definition, namespace, reference.name);
    if (owner?.metadata.uid !== reference.uid) return undefined;
    const upper = controllerOf(owner);
    if (definition.group === 'apps' && definition.kind === 'ReplicaSet' && isDeployment(upper)) {
      const deployment = await this.find(upper, namespace);
      if (deployment !== undefined) return deployment;
    }
    return { uid: reference.uid, replicas: scaleOf(owner, paths).specReplicas };
  }

  async #definitionOf({ apiVersion, kind }: OwnerReference): Promise<ResourceDefinition> {
    const groupVersion = parseGroupVersion(apiVersion);
    const entry = groupVersion && (await this.#mapper.mapping({ ...groupVersion, kind }));
    if (entry === undefined) throw new Error(`no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`);
    return entry.load();
  }

  async #read(definition: ResourceDefinition, namespace: string, name: string): Promise<KubeObject | undefined> {
    const { collection } = await this.#stores.open(definition);
    const stored = collection.latest().get(namespace, name);
    return stored && readStored(definition, stored);
  }
}

const isDeployment = (reference: OwnerReference | undefined): reference is OwnerReference =>
  reference?.kind === 'Deployment' && /^(apps|extensions)\//.test(reference.apiVersion);
