import type { CrossVersionObjectReference } from '../../../generated/v1.35/autoscaling/v2/types.ts';
import { notFound } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { formatGroupResource, parseGroupVersion } from '../../machinery/gvk.ts';
import { setMemberAt } from '../../machinery/json/member-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { RegistryEntry } from '../../resources/registry.ts';
import type { Writer } from '../../resources/rest.ts';
import { type ObjectScale, type ScalePaths, scaleOf, scalePathsOf } from '../../resources/scale.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readStored } from '../../resources/views.ts';

/** Reads and sets the replicas of objects of any kind with the subresource scale. (client-go scale) */
export class ScaleTargets {
  readonly #stores: ResourceStores;
  readonly #writer: Writer;

  constructor(stores: ResourceStores, writer: Writer) {
    this.#stores = stores;
    this.#writer = writer;
  }

  /**
   * Returns the plural of a kind with its group, for example `ingresses.networking.k8s.io`.
   *
   * @throws Error if there is no such kind
   */
  resourceOf({ apiVersion = '', kind }: CrossVersionObjectReference): string {
    return formatGroupResource(this.#entryOf(apiVersion, kind).facts);
  }

  /** @throws Error if there is no such object, or it has no scale */
  async get(reference: CrossVersionObjectReference, namespace: string): Promise<ObjectScale> {
    const { definition, paths } = await this.#open(reference);
    const { collection } = await this.#stores.open(definition);
    const stored = collection.latest().get(namespace, reference.name);
    if (stored === undefined) throw notFound(definition, reference.name);
    return scaleOf(await readStored(definition, stored), paths);
  }

  /** @throws Error if the object cannot be changed */
  async setReplicas(reference: CrossVersionObjectReference, namespace: string, replicas: number): Promise<void> {
    const { definition, paths } = await this.#open(reference);
    const store = await this.#stores.open(definition);
    const change = (current: KubeObject | undefined): KubeObject => {
      if (current === undefined) throw notFound(definition, reference.name);
      setMemberAt(current, paths.specReplicas, replicas);
      return current;
    };
    const request = { namespace, name: reference.name, part: 'main', change } as const;
    await store.update(definition, { ...request, requireVersion: false }, this.#writer);
  }

  async #open({ apiVersion = '', kind }: CrossVersionObjectReference): Promise<{
    readonly definition: ResourceDefinition;
    readonly paths: ScalePaths;
  }> {
    const definition = await this.#entryOf(apiVersion, kind).load();
    const paths = scalePathsOf(definition);
    if (paths === undefined) throw new Error('the server could not find the requested resource');
    return { definition, paths };
  }

  /** Returns the kind's entry at the given version, or else at any version of the group. */
  #entryOf(apiVersion: string, kind: string): RegistryEntry {
    const groupVersion = parseGroupVersion(apiVersion);
    if (groupVersion === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
    const { group, version } = groupVersion;
    const entries = [...this.#stores.registry.entries()].filter(({ facts }) => facts.group === group && facts.kind === kind);
    const found = entries.find(({ facts }) => facts.version === version) ?? entries[0];
    if (found === undefined) throw new Error(`no matches for kind ${quote(kind)} in group ${quote(group)}`);
    return found;
  }
}
