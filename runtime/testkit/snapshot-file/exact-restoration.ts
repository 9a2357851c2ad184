import { messageOf } from '../../machinery/errors/message-of.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { RESTMapper } from '../../resources/rest-mapper.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { writeStored } from '../../resources/views.ts';
import { objectSuffix } from '../../storage/object-store/keys.ts';
import { FixtureError } from '../fixtures/fixture-error.ts';
import { describeObject, groupOf, type SourceObject } from '../fixtures/source-object.ts';

/** Writes the objects of a file to a store unchanged, with their uids, times, status and managed fields. */
export class ExactRestoration {
  readonly #stores: ResourceStores;
  readonly #mapper: RESTMapper;
  #left: readonly SourceObject[];

  constructor(stores: ResourceStores, mapper: RESTMapper, objects: readonly SourceObject[]) {
    this.#stores = stores;
    this.#mapper = mapper;
    this.#left = objects;
  }

  /** Stores the objects whose kinds are already served. @throws FixtureError if an object exists already */
  async restoreServed(): Promise<void> {
    const left: SourceObject[] = [];
    for (const each of this.#left) if (!(await this.#restore(each))) left.push(each);
    this.#left = left;
  }

  /** Stores the remaining objects. @throws FixtureError if a kind is not served */
  async restoreRest(): Promise<void> {
    await this.restoreServed();
    const [first] = this.#left;
    if (first === undefined) return;
    const { apiVersion, kind } = first.object;
    const why = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
    throw new FixtureError(`${first.source}: ${describeObject(first.object)}: ${why}`);
  }

  async #restore({ object, source }: SourceObject): Promise<boolean> {
    const { apiVersion = '', kind = '' } = object;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    const entry = await this.#mapper.mapping({ group: groupOf(object), version, kind });
    if (entry === undefined) return false;
    const definition = await entry.load();
    const where = `${source}: ${describeObject(object)}`;
    const prepared = this.#stored(definition, object);
    checkPlace(definition, prepared, where);
    const { collection } = await this.#stores.open(definition);
    const stored = await writeStored(definition, prepared, (one) => collection.create(one));
    if (stored !== undefined) return true;
    throw new FixtureError(`${where}: it exists already; a snapshot needs an empty store`);
  }

  /** Drops fields that the kind does not have, and adds the fields of every stored object. */
  #stored({ type, namespaced, resourcePrefix }: ResourceDefinition, object: KubeObject): KubeObject {
    const { apiVersion, kind } = object;
    const stored = { ...type.prune(cloneJson(object), new PruneContext()), ...defined({ apiVersion, kind }) };
    type.setDefaults(stored);
    const { metadata } = stored;
    delete metadata.resourceVersion;
    if (namespaced) metadata.namespace ??= 'default';
    metadata.uid ??= this.#stores.random.uuid(resourcePrefix, metadata.namespace, metadata.name);
    metadata.creationTimestamp ??= timeText(this.#stores.clock.now());
    return stored;
  }
}

/** Throws FixtureError for an invalid name or namespace. */
function checkPlace({ namespaced }: ResourceDefinition, { metadata }: KubeObject, where: string): void {
  const { namespace = '', name = '' } = metadata;
  try {
    objectSuffix(namespaced, namespace, name);
  } catch (error) {
    throw new FixtureError(`${where}: ${messageOf(error)}`);
  }
}
