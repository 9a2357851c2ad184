import { isStatusError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { requireReadable } from '../../resources/corrupt-objects.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Snapshot, StoredObject } from '../../storage/object-store/contract.ts';
import { writerFor } from '../controller.ts';
import type { Findings } from './conditions.ts';

/** Writes for the controller. */
export const namespaceWriter: Writer = writerFor('namespace-controller');

/** Seconds that finalizers of others are taken to need. */
const finalizerEstimate = 15;
/** Deletions under way at once; they share durable commits. */
const atOnce = 32;

/** What one resource still has in a namespace. */
export interface Leftover {
  readonly store: ResourceStore;
  /** The state that was looked at. */
  readonly snapshot: Snapshot;
}

export interface EmptyingResult extends Findings {
  readonly left: readonly Leftover[];
  /** Seconds until what is left may be gone. */
  readonly estimate: number;
}

export interface NamespaceToEmpty {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
  /** Asked between resources. */
  readonly isStopped: () => boolean;
}

/**
 * Deletes what is in a namespace. Pods go first, and the rest only once they are gone, so that nothing that runs loses
 * its configuration or its network rules before it ends. (pkg/controller/namespace/deletion deleteAllContent)
 */
export async function emptyNamespace(stores: ResourceStores, namespace: NamespaceToEmpty): Promise<EmptyingResult> {
  const { found, discoveryErrors } = await filledStores(stores);
  const pods = found.filter(isPods);
  const others = found.filter((store) => !isPods(store));
  const tally = new Tally(discoveryErrors);
  for (const stage of [pods, others]) {
    for (const store of stage) {
      if (namespace.isStopped()) break;
      await tally.count(store, namespace, () => deleteAll(store, namespace, stores.clock.now()));
    }
    if (tally.left.length > 0 || tally.contentErrors.length > 0) break;
  }
  return tally;
}

/**
 * Whether nothing has come since: writes that were on their way when the namespace began to terminate. Once something
 * has been written after that, there are none any more.
 */
export function isEmpty(stores: ResourceStores, namespace: string): boolean {
  return stores
    .allOpened()
    .every(({ definition, collection }) => !definition.namespaced || collection.latest().count(namespace) === 0);
}

const isPods = ({ definition: { group, resource } }: ResourceStore): boolean => group === '' && resource === 'pods';

/** Sums up what each resource has left. */
class Tally implements EmptyingResult {
  readonly discoveryErrors: readonly string[];
  readonly contentErrors: string[] = [];
  readonly remaining = new Map<string, number>();
  readonly finalizers = new Map<string, number>();
  readonly left: Leftover[] = [];
  estimate = 0;

  constructor(discoveryErrors: readonly string[]) {
    this.discoveryErrors = discoveryErrors;
  }

  async count(store: ResourceStore, { name }: NamespaceToEmpty, work: () => Promise<number>): Promise<void> {
    const { group, version, resource } = store.definition;
    try {
      const grace = await work();
      requireReadable(store.collection, name);
      const snapshot = store.collection.latest();
      const objects = [...snapshot.scan({ namespace: name })];
      if (objects.length === 0) return;
      this.left.push({ store, snapshot });
      this.remaining.set(`${resource}.${group}`, objects.length);
      const before = this.finalizers.size;
      for (const object of objects) this.#countFinalizers(object);
      const finalizing = this.finalizers.size > before || objects.some(hasFinalizers);
      if (grace === 0 && !finalizing) {
        const what = `${group}/${version}, Resource=${resource}`;
        this.contentErrors.push(`unexpected items still remain in namespace: ${name} for gvr: ${what}`);
      }
      this.estimate = Math.max(this.estimate, grace === 0 ? finalizerEstimate : grace);
    } catch (error) {
      this.contentErrors.push((error as Error).message);
    }
  }

  #countFinalizers(object: StoredObject): void {
    if (!hasFinalizers(object)) return;
    for (const finalizer of object.metadata().finalizers ?? []) {
      this.finalizers.set(finalizer, (this.finalizers.get(finalizer) ?? 0) + 1);
    }
  }
}

const finalizersMember = Buffer.from('"finalizers":[');

const hasFinalizers = (object: StoredObject): boolean =>
  object.mentions(finalizersMember) && (object.metadata().finalizers ?? []).length > 0;

/** Resources in namespaces that have objects anywhere. Those without are not loaded. */
async function filledStores(
  stores: ResourceStores,
): Promise<{ found: readonly ResourceStore[]; discoveryErrors: readonly string[] }> {
  const found: ResourceStore[] = [];
  const failed = new Map<string, string>();
  for (const entry of stores.registry.storedEntries()) {
    const { facts, definition } = entry;
    if (!facts.namespaced || !facts.verbs.includes('delete')) continue;
    try {
      const open = definition && stores.opened(definition);
      if (open) found.push(open);
      else if (await stores.hasObjects(facts)) found.push(await stores.of(await entry.load()));
    } catch (error) {
      failed.set(formatGroupVersion(facts), (error as Error).message);
    }
  }
  if (failed.size === 0) return { found, discoveryErrors: [] };
  const which = [...failed].map(([groupVersion, why]) => `${groupVersion}: ${why}`).join(', ');
  const complaint = `Discovery failed for some groups, ${failed.size} failing: unable to retrieve the complete list of server APIs: ${which}`;
  return { found, discoveryErrors: [complaint] };
}

/**
 * Deletes all objects of a resource in the namespace, dependents with their owners.
 *
 * @returns seconds that those with a grace period may still need
 */
async function deleteAll(store: ResourceStore, namespace: NamespaceToEmpty, now: number): Promise<number> {
  const objects = [...store.collection.latest().scan({ namespace: namespace.name })];
  const grace = isPods(store) ? graceOf(objects) : 0;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < objects.length && !namespace.isStopped()) {
      await deleteOne(store, objects[next++]);
      if (next % atOnce === 0) await yieldToEventLoop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, objects.length) }, work));
  return now - namespace.deletedAt >= grace * 1000 ? 0 : grace;
}

async function deleteOne(store: ResourceStore, { namespace, name }: StoredObject): Promise<void> {
  try {
    const request = { namespace, name, propagationPolicy: 'Background' };
    await store.delete(store.definition, request, namespaceWriter);
  } catch (error) {
    // somebody else was faster, which is as good
    if (!isStatusError(error) || error.status.code !== 404) throw error;
  }
}

/** The longest grace period of pods that may still run. */
function graceOf(pods: readonly StoredObject[]): number {
  let longest = 0;
  for (const pod of pods) {
    const phase = pod.fields['status.phase'];
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    longest = Math.max(longest, Number(pod.decode().spec?.terminationGracePeriodSeconds ?? 0));
  }
  return longest;
}
