import type { CrossVersionObjectReference } from '../../../generated/v1.35/autoscaling/v2/types.ts';
import { notFound } from '../../machinery/errors/status.ts';
import { memberAt, setMemberAt } from '../../machinery/json/member-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../../machinery/resource.ts';
import { type LabelSelectorObject, labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import type { RegistryEntry } from '../../resources/registry.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readStored } from '../../resources/views.ts';

/** The scale of an object as it is. (autoscaling/v1 Scale) */
export interface TargetScale {
  readonly specReplicas: number;
  readonly statusReplicas: number;
  /** "" if the object has none. */
  readonly selector: string;
}

/** Objects whose replicas are scaled, of any kind with the subresource scale. (client-go scale) */
export class ScaleTargets {
  readonly #stores: ResourceStores;
  readonly #writer: Writer;

  constructor(stores: ResourceStores, writer: Writer) {
    this.#stores = stores;
    this.#writer = writer;
  }

  /** The plural of a kind with its group, as `ingresses.networking.k8s.io`. @throws Error if there is no such kind */
  resourceOf({ apiVersion = '', kind }: CrossVersionObjectReference): string {
    const { group, resource } = this.#entryOf(apiVersion, kind).facts;
    return group === '' ? resource : `${resource}.${group}`;
  }

  /** @throws Error if there is no such object, or it has no scale */
  async get(reference: CrossVersionObjectReference, namespace: string): Promise<TargetScale> {
    const { definition, paths } = await this.#open(reference);
    const { collection } = await this.#stores.of(definition);
    const stored = collection.latest().get(namespace, reference.name);
    if (stored === undefined) throw notFound(definition, reference.name);
    const object = await readStored(definition, stored);
    return {
      specReplicas: Number(memberAt(object, paths.specReplicas) ?? 0),
      statusReplicas: Number(memberAt(object, paths.statusReplicas) ?? 0),
      selector: paths.selector === undefined ? '' : selectorText(memberAt(object, paths.selector)),
    };
  }

  /** @throws Error if the object cannot be changed */
  async setReplicas(reference: CrossVersionObjectReference, namespace: string, replicas: number): Promise<void> {
    const { definition, paths } = await this.#open(reference);
    const store = await this.#stores.of(definition);
    const change = (current: KubeObject | undefined): KubeObject => {
      if (current === undefined) throw notFound(definition, reference.name);
      setMemberAt(current, paths.specReplicas, replicas);
      return current;
    };
    const request = { namespace, name: reference.name, part: 'main', change } as const;
    await store.update(definition, { ...request, createIfAbsent: false, requireVersion: false }, this.#writer);
  }

  async #open({ apiVersion = '', kind }: CrossVersionObjectReference): Promise<{
    readonly definition: ResourceDefinition;
    readonly paths: NonNullable<SubresourceDefinition['scale']>;
  }> {
    const definition = await this.#entryOf(apiVersion, kind).load();
    const paths = definition.subresources.find(({ name }) => name === 'scale')?.scale;
    if (paths === undefined) throw new Error('the server could not find the requested resource');
    return { definition, paths };
  }

  /** Any version of the group will do. */
  #entryOf(apiVersion: string, kind: string): RegistryEntry {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const entries = [...this.#stores.registry.entries()].filter(
      ({ facts }) => facts.group === group && facts.kind === kind,
    );
    const found = entries.find(({ facts }) => facts.version === version) ?? entries[0];
    if (found === undefined)
      throw new Error(`no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`);
    return found;
  }
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return '';
  const isSelector = 'matchLabels' in selector || 'matchExpressions' in selector;
  const object = isSelector ? (selector as LabelSelectorObject) : { matchLabels: selector as Record<string, string> };
  return labelSelectorFromObject(object).toString();
}
