import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AdmissionObservations } from '../../admission/admission-metrics.ts';
import { createResourceHandler } from '../../endpoints/dispatch.ts';
import { CustomResourceLoader } from '../../extensions/crd/custom-resource-loader.ts';
import type { ApiMiddleware } from '../../http/context.ts';
import { builtinStrategies } from '../../kinds/strategies.ts';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { pathNotFound } from '../../machinery/errors/status.ts';
import { disableEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { withGroupStrategies } from '../../resources/group-strategies.ts';
import { Listers } from '../../resources/lister.ts';
import { ResourceRegistry } from '../../resources/registry.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import { ResourceStores } from '../../resources/stores.ts';
import { newAdmissionChain, PluginInitializer } from '../admission.ts';
import { scaleType } from '../custom-resources.ts';
import { importGroups } from '../groups/group-modules.ts';
import { builtinGroup, servedCatalogs } from '../groups/groups.ts';
import { minorOf } from '../groups/releases.ts';
import { applyRuntimeConfig } from '../groups/runtime-config.ts';
import { CapturedRequest } from './captured-request.ts';

import { WorkerHeap } from './heap.ts';
import { buffersToTransfer, serializeError, type WorkerData, type WorkerRequest, type WorkerResult } from './protocol.ts';
import { remoteExternalObjects } from './remote-external-objects.ts';
import { RemoteStore } from './remote-store.ts';
import {
  createRpcClient,
  remoteAuthorizer,
  remoteIssuer,
  remoteQuotaReservations,
  remoteRateLimiters,
  remoteRuleResolver,
  remoteServiceAllocators,
  remoteTokenAuthenticator,
} from './rpc-client.ts';

/*
 * The entry point of a worker thread. It handles the server's requests one at a time, with the same registry, endpoints
 * and strategies, on the server's store.
 */

/** A clock that stands still during a request, at the server's time when the request was passed to the worker. */
class RequestClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
}

class RequestHandler {
  readonly #clock: RequestClock;
  readonly #observed: AdmissionObservations;
  readonly #handle: ApiMiddleware;
  readonly #customResources: CustomResourceLoader;

  private constructor(
    handle: ApiMiddleware,
    customResources: CustomResourceLoader,
    { clock, observed }: { readonly clock: RequestClock; readonly observed: AdmissionObservations },
  ) {
    this.#handle = handle;
    this.#customResources = customResources;
    this.#clock = clock;
    this.#observed = observed;
  }

  static async open(port: MessagePort, data: WorkerData): Promise<RequestHandler> {
    const rpc = createRpcClient(port, data.rpc);
    const clock = new RequestClock();
    const furtherGroups = await Promise.all(data.groupModules.map(importGroups));
    const groups = [await builtinGroup(data.builtin), ...furtherGroups.flat()];
    const registry = new ResourceRegistry();
    const catalogs = applyRuntimeConfig(servedCatalogs(groups), data.runtimeConfig, data.features);
    for (const catalog of catalogs) registry.add(catalog);
    const authorizer = remoteAuthorizer(rpc, data.listsRules);
    const ruleResolver = remoteRuleResolver(rpc);
    const tokens = remoteTokenAuthenticator(rpc);
    const serviceAllocators = remoteServiceAllocators(rpc, data.serviceFamilies);
    const observed = new AdmissionObservations();
    const initializer = new PluginInitializer();
    const stores = new ResourceStores({
      registry,
      clock,
      admission: newAdmissionChain(data.admission, initializer, observed),
      store: new RemoteStore(rpc),
      strategies: withGroupStrategies(
        builtinStrategies({
          authorizer,
          ruleResolver,
          tokens,
          audiences: data.audiences,
          serviceAllocators,
          kinds: { mapping: (kind) => mapper.mapping(kind) },
          features: data.features,
          minor: minorOf(elementAt(groups, 0).catalog.release),
        }),
        groups,
      ),
    });
    const external = data.hasExternalObjects ? remoteExternalObjects(rpc) : undefined;
    const listers = new Listers(stores, false, external);
    const customResources = new CustomResourceLoader(stores, scaleType);
    const mapper = new RESTMapper(registry, (group) => customResources.refreshGroup(group));
    const context = {
      stores,
      listers,
      mapper,
      authorizer,
      clock,
      metrics: observed,
      quota: remoteQuotaReservations(rpc),
      rateLimiters: remoteRateLimiters(rpc),
    };
    initializer.initialize(context);
    const handle = createResourceHandler({
      registry,
      stores,
      clock,
      authorizer,
      minRequestTimeout: 0,
      issueToken: remoteIssuer(rpc),
      unsafeDeletion: data.unsafeDeletion,
    });
    return new RequestHandler(handle, customResources, { clock, observed });
  }

  async run(request: WorkerRequest): Promise<WorkerResult> {
    const result = await this.#respond(request);
    return { ...result, observations: this.#observed.take() };
  }

  async #respond(request: WorkerRequest): Promise<WorkerResult> {
    this.#clock.time = request.now;
    let captured: CapturedRequest | undefined;
    try {
      captured = new CapturedRequest(request);
      if (request.definition !== undefined) await this.#customResources.refresh(request.definition);
      await this.#handle(captured.ctx, () => {
        throw pathNotFound();
      });
      return { kind: 'response', response: captured.response(), ...captured.notes };
    } catch (error) {
      return {
        kind: 'error',
        error: serializeError(error),
        ...(captured?.notes ?? { warnings: [] }),
      };
    }
  }
}

disableEventLoopBudget();
const port = parentPort as MessagePort;
const heap = new WorkerHeap();
const opening = RequestHandler.open(port, workerData as WorkerData);
void opening.then(() => heap.settle());
port.on('message', async (request: WorkerRequest) => {
  const result = await (await opening).run(request);
  port.postMessage(result, result.kind === 'response' ? buffersToTransfer(result.response.body) : []);
  heap.trim();
});
