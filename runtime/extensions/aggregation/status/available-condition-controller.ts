import type { Clock } from '../../../machinery/clock.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import { type SyncResult, WorkQueue } from '../../../reconcile/work-queue.ts';
import { isReady, portOf, type ServiceResolver } from '../../../resources/service-resolver.ts';
import {
  type APIService,
  type APIServiceCondition,
  availableCondition,
  discoveryPath,
  isAvailable,
  type ServiceReference,
} from '../api-service.ts';
import type { APIServices } from '../api-services.ts';
import type { ProxyOptions } from '../proxy/proxy-handler.ts';
import { checkDiscovery } from './discovery-check.ts';
import type { AvailabilityMetrics } from './metrics.ts';

/** Milliseconds between two checks of an idle server, and the longest time between two retries. */
const resyncPeriod = 30_000;

export interface AvailableConditionOptions {
  readonly apiServices: APIServices;
  readonly services: ServiceResolver;
  readonly proxy: ProxyOptions;
  readonly metrics: AvailabilityMetrics;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

type Finding = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

const local: Finding = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
const passed: Finding = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/**
 * Maintains the Available condition of APIServices. Local ones are available. Remote ones are available if their
 * service, its endpoints and the server respond. (kube-aggregator pkg/controllers/status/local, remote)
 */
export class AvailableConditionController {
  readonly #options: AvailableConditionOptions;
  readonly #queue: WorkQueue<string>;
  /** The names of APIServices by namespace/name of their service. */
  readonly #byService = new Map<string, Set<string>>();
  readonly #stop: () => void;
  readonly #closing = new AbortController();

  constructor(options: AvailableConditionOptions) {
    const { apiServices, clock, report, services } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      clock,
      report,
      concurrency: 5,
      maxDelay: resyncPeriod,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
    });
    apiServices.follow((name, current, previous) => this.#onChange(name, current, previous));
    this.#stop = services.onChange((namespace, service) => {
      for (const name of this.#byService.get(`${namespace}/${service}`) ?? []) this.#queue.add(name);
    });
  }

  async close(): Promise<void> {
    this.#stop();
    this.#closing.abort();
    await this.#queue.close();
  }

  #onChange(name: string, current: APIService | undefined, previous?: APIService): void {
    const [key, before] = [serviceKey(current), serviceKey(previous)];
    if (before !== undefined && before !== key) {
      const names = this.#byService.get(before);
      names?.delete(name);
      if (names?.size === 0) this.#byService.delete(before);
    }
    if (key !== undefined) {
      const names = this.#byService.get(key);
      if (names === undefined) this.#byService.set(key, new Set([name]));
      else names.add(name);
    }
    // most local APIServices have the right condition already
    if (current && key === undefined && hasFinding(current, local)) this.#options.metrics.setAvailable(name, true);
    else this.#queue.add(name);
  }

  async #sync(name: string): Promise<SyncResult> {
    const { apiServices, metrics } = this.#options;
    const apiService = apiServices.get(name);
    if (apiService === undefined) {
      metrics.forget(name);
      return 'done';
    }
    const { service } = apiService.spec;
    if (service === undefined) {
      await this.#set(name, local);
      return 'done';
    }
    const finding = this.#checkService(service) ?? (await this.#checkServer(name, service));
    if (this.#closing.signal.aborted) return 'done';
    // the APIService may have changed during the check
    if (apiServices.get(name)?.spec.service !== undefined) await this.#set(name, finding);
    return finding.reason === 'FailedDiscoveryCheck' ? 'retry' : resyncPeriod;
  }

  async #set(name: string, finding: Finding): Promise<void> {
    const { apiServices, clock, metrics } = this.#options;
    const before = apiServices.get(name);
    if (before === undefined) return;
    metrics.setAvailable(name, finding.status === 'True');
    if (hasFinding(before, finding)) return;
    const lastTransitionTime = timeText(clock.now());
    await apiServices.setCondition(name, { type: 'Available', lastTransitionTime, ...finding });
    if (isAvailable(before) && finding.status !== 'True') metrics.becameUnavailable(name, finding.reason ?? '');
  }

  /** Returns the problem of the service or its endpoints; undefined for none. */
  #checkService({ namespace = '', name = '', port = 443 }: ServiceReference): Finding | undefined {
    const { services } = this.#options;
    const where = `service/${name} in "${namespace}"`;
    const service = services.service(namespace, name);
    if (service === undefined) return unavailable('ServiceNotFound', `${where} is not present`);
    if ((service.spec?.type ?? 'ClusterIP') !== 'ClusterIP') return undefined;
    const found = service.spec?.ports?.find((one) => one.port === port);
    if (found === undefined) return unavailable('ServicePortError', `${where} is not listening on port ${port}`);
    const slices = services.endpointSlices(namespace, name);
    if (slices.length === 0) {
      return unavailable('EndpointsNotFound', `cannot find endpointslices for ${where}`);
    }
    const portName = found.name ?? '';
    const isActive = slices.some((slice) => slice.endpoints?.some(isReady) && portOf(slice, portName) !== undefined);
    if (isActive) return undefined;
    const message = `endpointslices for ${where} have no addresses with port name "${portName}"`;
    return unavailable('MissingEndpoints', message);
  }

  async #checkServer(name: string, service: ServiceReference): Promise<Finding> {
    const { proxy, clock } = this.#options;
    const { namespace = '', name: serviceName = '', port = 443 } = service;
    const error = await checkDiscovery({
      resolve: () => proxy.resolve(namespace, serviceName, port),
      path: discoveryPath(name),
      certificate: proxy.clientCertificate(),
      clock,
      signal: this.#closing.signal,
    });
    return error === undefined ? passed : unavailable('FailedDiscoveryCheck', error);
  }
}

const unavailable = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

function hasFinding(apiService: APIService, { status, reason, message }: Finding): boolean {
  const known = availableCondition(apiService);
  return known?.status === status && known.reason === reason && known.message === message;
}

function serviceKey(apiService: APIService | undefined): string | undefined {
  const service = apiService?.spec.service;
  return service && `${service.namespace}/${service.name}`;
}
