import type { Clock } from '../../../machinery/clock.ts';
import type { GroupVersion } from '../../../machinery/gvk.ts';
import { semanticDeepEqual } from '../../../machinery/json/equality.ts';
import { WorkQueue } from '../../../reconcile/work-queue.ts';
import { type APIService, type APIServiceSpec, apiServiceName, type Registered } from '../api-service.ts';
import type { APIServices } from '../api-services.ts';
import type { APIServicePriority } from './priorities.ts';

const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';
/** Whether an APIService is synced once at the start, or always. */
type SyncType = 'onstart' | 'true';

interface Desired extends Registered {
  readonly syncType: SyncType;
}

export interface AutoRegisterOptions {
  readonly apiServices: APIServices;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/**
 * Maintains an APIService for each group-version of this server. APIServices of built-in groups are created at the
 * start, and not again after a deletion; APIServices of CustomResourceDefinitions always exist. (kube-aggregator
 * pkg/controllers/autoregister)
 */
export class AutoRegisterController {
  readonly #apiServices: APIServices;
  readonly #queue: WorkQueue<string>;
  readonly #desired = new Map<string, Desired>();
  readonly #synced = new Set<string>();
  readonly #existedAtStart = new Set<string>();
  #registered: readonly Registered[] | undefined;

  constructor({ apiServices, clock, report }: AutoRegisterOptions) {
    this.#apiServices = apiServices;
    for (const { metadata } of apiServices.all()) this.#existedAtStart.add(metadata.name ?? '');
    apiServices.onChange(() => {
      this.#registered = undefined;
    });
    this.#queue = new WorkQueue({
      clock,
      report,
      concurrency: 5,
      paused: true,
      keyOf: (name) => name,
      work: async (name) => {
        await this.#sync(name);
        return 'done';
      },
    });
  }

  /** Resolves when every APIService that exists or should exist has been synced once. */
  async start(): Promise<void> {
    const names = new Set([...this.#existedAtStart, ...this.#desired.keys()]);
    await Promise.all([...names].map((name) => this.#sync(name)));
    this.#apiServices.onChange((name) => this.#queue.add(name));
    this.#queue.resume();
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  /** Registers a group-version until it is removed, or for the start only. */
  add(groupVersion: GroupVersion, priority: APIServicePriority, syncType: SyncType): void {
    const name = apiServiceName(groupVersion);
    const { group, version } = groupVersion;
    const priorities = { groupPriorityMinimum: priority.group, versionPriority: priority.version };
    const spec = { ...(group === '' ? {} : { group }), version, ...priorities };
    this.#desired.set(name, { name, spec, syncType });
    this.#changed(name);
  }

  remove(groupVersion: GroupVersion): void {
    const name = apiServiceName(groupVersion);
    if (this.#desired.delete(name)) this.#changed(name);
  }

  #changed(name: string): void {
    this.#registered = undefined;
    this.#queue.add(name);
  }

  /**
   * Returns the APIServices as they will be once the queue is empty, so that discovery never lags behind definitions.
   * The list is the same until a change.
   */
  registered(): readonly Registered[] {
    this.#registered ??= [...this.#listRegistered()];
    return this.#registered;
  }

  *#listRegistered(): Iterable<Registered> {
    for (const apiService of this.#apiServices.all()) {
      const { name = '' } = apiService.metadata;
      if (syncTypeOf(apiService) !== 'true' || this.#desired.has(name)) yield { name, spec: apiService.spec };
    }
    for (const desired of this.#desired.values()) {
      const { name } = desired;
      const isMissing = this.#apiServices.get(name) === undefined;
      if (isMissing && (desired.syncType === 'true' || !this.#synced.has(name))) yield desired;
    }
  }

  async #sync(name: string): Promise<void> {
    const hadSynced = this.#synced.has(name);
    await this.#reconcile(name, this.#apiServices.get(name), hadSynced);
    this.#synced.add(name);
    this.#registered = undefined;
  }

  /** (checkAPIService, whose table names the cases) */
  async #reconcile(name: string, current: APIService | undefined, hadSynced: boolean): Promise<void> {
    const desired = this.#desired.get(name);
    if (desired?.syncType === 'onstart' && hadSynced) return;
    if (current === undefined) {
      if (desired === undefined) return;
      await this.#apiServices.create(name, { [managedLabel]: desired.syncType }, desired.spec);
      return;
    }
    const syncType = syncTypeOf(current);
    if (syncType === undefined) return;
    if (syncType === 'onstart' && (hadSynced || !this.#existedAtStart.has(name))) return;
    if (desired === undefined) await this.#apiServices.delete(current);
    else if (!semanticDeepEqual(withoutDefaults(current.spec), desired.spec)) {
      await this.#apiServices.updateSpec(name, desired.spec);
    }
  }
}

/** Returns undefined for an APIService that the server does not maintain. */
function syncTypeOf({ metadata }: APIService): SyncType | undefined {
  const value = metadata.labels?.[managedLabel];
  return value === 'onstart' || value === 'true' ? value : undefined;
}

/** Drops an absent list and an absent flag, which are zero values in Go. */
function withoutDefaults({ caBundle, insecureSkipTLSVerify, ...spec }: APIServiceSpec): APIServiceSpec {
  return { ...spec, ...(caBundle ? { caBundle } : {}), ...(insecureSkipTLSVerify ? { insecureSkipTLSVerify } : {}) };
}
