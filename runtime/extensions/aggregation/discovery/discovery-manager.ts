import type { Clock } from '../../../machinery/clock.ts';
import type { JsonObject } from '../../../machinery/object.ts';
import { type SyncResult, WorkQueue } from '../../../reconcile/work-queue.ts';
import { type APIService, discoveryPath, groupVersionOf } from '../api-service.ts';
import type { APIServices } from '../api-services.ts';
import { type Downloaded, download } from '../proxy/download.ts';
import type { ProxyHandler } from '../proxy/proxy-handler.ts';
import type { ProxyHandlers } from '../proxy/proxy-handlers.ts';
import { decodeGroupDiscoveryList, decodeResourceList, type Resources } from './decode.ts';
import type { Prioritized, RemoteVersion } from './group-discovery.ts';

/** Milliseconds between two downloads from a server. */
const refreshPeriod = 60_000;
/** Milliseconds for which one response serves all APIServices of a service. */
const sharedFor = 30_000;
/** Milliseconds until the response must have arrived. */
const timeout = 5000;
/**
 * The maximum bytes of a response, which the event loop decodes in a moment. The groups of a whole release take 150
 * KiB. (upstream: no limit)
 */
const maxBytes = 2 * 1024 * 1024;

const mediaType = (version: string): string => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
const acceptAggregated = `${mediaType('v2')},${mediaType('v2beta1')}`;

export interface DiscoveryManagerOptions {
  readonly apiServices: APIServices;
  readonly proxies: ProxyHandlers;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

interface Known {
  /** The number of the APIService's last change. */
  dirty: number;
  entry: Omit<RemoteVersion, 'version'>;
}

interface CachedResult {
  readonly resources: Resources;
  readonly etag: string;
  /** The time of the request, by the clock and by the number of the last change. */
  readonly at: number;
  readonly tick: number;
}

/**
 * Downloads the discovery of other servers in the background: after each change of their APIServices, and once a
 * minute. (kube-aggregator pkg/apiserver/handler_discovery.go)
 */
export class DiscoveryManager {
  readonly #options: DiscoveryManagerOptions;
  readonly #queue: WorkQueue<string>;
  readonly #closing = new AbortController();
  /** By the name of the APIService. */
  readonly #known = new Map<string, Known>();
  /** By service and port. */
  readonly #cached = new Map<string, CachedResult>();
  #tick = 0;

  constructor(options: DiscoveryManagerOptions) {
    const { apiServices, clock, report } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      clock,
      report,
      concurrency: 2,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
    });
    apiServices.follow((name, current) => this.#onChange(name, current));
  }

  /** Yields the remote versions, including versions whose resources are not known yet. */
  *versions(): Iterable<Prioritized<RemoteVersion>> {
    for (const [name, { entry }] of this.#known) {
      const { groupPriorityMinimum: group, versionPriority } = this.#options.apiServices.get(name)?.spec ?? {};
      const groupVersion = groupVersionOf(name);
      yield {
        ...groupVersion,
        priority: { group: group ?? 0, version: versionPriority ?? 0 },
        value: { version: groupVersion.version, ...entry },
      };
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue.close();
  }

  #onChange(name: string, current: APIService | undefined): void {
    if (current?.spec.service === undefined) {
      if (this.#known.delete(name)) this.#removeUnusedServices();
      return;
    }
    const known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, { dirty: ++this.#tick, entry: { freshness: 'Stale' } });
    else known.dirty = ++this.#tick;
    this.#removeUnusedServices();
    this.#queue.add(name);
  }

  #removeUnusedServices(): void {
    const used = new Set([...this.#options.proxies.all()].map(serviceKey));
    for (const key of this.#cached.keys()) if (!used.has(key)) this.#cached.delete(key);
  }

  async #sync(name: string): Promise<SyncResult> {
    const known = this.#known.get(name);
    const handler = this.#options.proxies.get(name);
    if (known === undefined || handler === undefined) return 'done';
    try {
      const { group, version } = groupVersionOf(name);
      const resources = await this.#fetch(name, handler, known.dirty);
      const found = resources.get(`${group}/${version}`);
      known.entry = { ...(found ? { resources: found } : {}), freshness: 'Current' };
    } catch {
      // clients see the version as stale until its resources are known
      known.entry = { freshness: 'Stale' };
    }
    return refreshPeriod;
  }

  /** (fetchFreshDiscoveryForService) @throws Error */
  async #fetch(name: string, handler: ProxyHandler, dirty: number): Promise<Resources> {
    const { clock } = this.#options;
    const key = serviceKey(handler);
    const cached = this.#cached.get(key);
    const at = clock.now();
    if (cached !== undefined && cached.tick > dirty && cached.at > at - sharedFor) return cached.resources;
    const tick = ++this.#tick;
    const user = { name: 'system:kube-aggregator', groups: ['system:masters'] };
    const answer = await this.#download(handler, { path: '/apis', accept: acceptAggregated, user, etag: cached?.etag });
    if (answer.status === 304 && cached !== undefined) {
      this.#cached.set(key, { ...cached, at, tick });
      return cached.resources;
    }
    if (answer.status === 503) throw new Error('service unavailable');
    if (answer.status === 200 && isAggregated(answer)) {
      const resources = decodeGroupDiscoveryList(JSON.parse(answer.body.toString()));
      this.#cached.set(key, { resources, etag: answer.etag, at, tick });
      return resources;
    }
    return this.#fetchLegacy(name, handler);
  }

  /** Downloads from a server without aggregated discovery, with one request for each version. */
  async #fetchLegacy(name: string, handler: ProxyHandler): Promise<Resources> {
    const { group, version } = groupVersionOf(name);
    const path = discoveryPath(name);
    const user = { name: 'system:kube-aggregator', groups: [] };
    const answer = await this.#download(handler, { path, accept: 'application/json', user });
    if (answer.status !== 200) throw new Error(`failed to download legacy discovery for ${path}`);
    const resources: readonly JsonObject[] = decodeResourceList(JSON.parse(answer.body.toString()));
    return new Map([[`${group}/${version}`, resources]]);
  }

  #download(
    handler: ProxyHandler,
    request: { path: string; accept: string; user: { name: string; groups: string[] }; etag?: string | undefined },
  ): Promise<Downloaded> {
    const { clock } = this.#options;
    return download(handler, { ...request, timeout, maxBytes, clock, signal: this.#closing.signal });
  }
}

function serviceKey({ apiService }: ProxyHandler): string {
  const { namespace, name, port } = apiService.spec.service ?? {};
  return `${namespace}/${name}:${port}`;
}

/** (discovery.ContentTypeIsGVK) */
function isAggregated({ contentType }: Downloaded): boolean {
  const parameters = new Set(contentType.split(';').map((part) => part.trim()));
  const isVersion = parameters.has('v=v2') || parameters.has('v=v2beta1');
  return parameters.has('g=apidiscovery.k8s.io') && isVersion && parameters.has('as=APIGroupDiscoveryList');
}
