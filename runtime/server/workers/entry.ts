import type { IncomingMessage, ServerResponse } from 'node:http';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AdmissionObservations } from '../../admission/admission-metrics.ts';
import { RequestAudit } from '../../audit/request-audit.ts';
import { createResourceHandler } from '../../endpoints/dispatch.ts';
import { CustomResourceLoader } from '../../extensions/crd/custom-resource-loader.ts';
import { parseRequest } from '../../filters/request-info.ts';
import { ApiContext, type ApiMiddleware } from '../../http/context.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import { builtinStrategies } from '../../kinds/strategies.ts';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { pathNotFound } from '../../machinery/errors/status.ts';
import { disableEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { releaseRules } from '../../machinery/validation/rule-changes.ts';
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
import { type Ask, askedExternalObjects, newAsk } from './ask.ts';
import { WorkerHeap } from './heap.ts';
import { JobStore } from './job-store.ts';
import { PendingEffects } from './pending-effects.ts';
import { buffersToTransfer, type Job, type Outcome, serializeError, type WorkerData } from './protocol.ts';

/*
 * The entry point of a worker thread. It runs jobs one at a time, with the registry, the steps and the plugins of the
 * server. The server reads and stores objects for it.
 */

/** A clock that stands still during a job, at the server's time when the job began. */
class JobClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
}

interface JobParts {
  readonly clock: JobClock;
  readonly store: JobStore;
  readonly observed: AdmissionObservations;
  readonly customResources: CustomResourceLoader;
}

class JobRunner {
  readonly #clock: JobClock;
  readonly #store: JobStore;
  readonly #observed: AdmissionObservations;
  readonly #handle: ApiMiddleware;
  readonly #customResources: CustomResourceLoader;

  private constructor(handle: ApiMiddleware, { clock, store, observed, customResources }: JobParts) {
    this.#handle = handle;
    this.#clock = clock;
    this.#store = store;
    this.#observed = observed;
    this.#customResources = customResources;
  }

  static async open(port: MessagePort, data: WorkerData): Promise<JobRunner> {
    const ask = newAsk(port, data.answers);
    const {
      objects,
      authorizer: { authorize, rulesFor },
      ruleResolver: { roleReferenceRules, rulesFor: resolveRules },
    } = ask;
    const effects = new PendingEffects();
    const store = new JobStore(ask, effects);
    const clock = new JobClock();
    const furtherGroups = await Promise.all(data.groupModules.map(importGroups));
    const groups = [await builtinGroup(data.builtin), ...furtherGroups.flat()];
    const registry = new ResourceRegistry();
    const catalogs = applyRuntimeConfig(servedCatalogs(groups), data.runtimeConfig, data.features);
    for (const catalog of catalogs) registry.add(catalog);
    const authorizer = data.listsRules ? { authorize, rulesFor } : { authorize };
    const observed = new AdmissionObservations();
    const initializer = new PluginInitializer();
    const minor = minorOf(elementAt(groups, 0).catalog.release);
    const stores = new ResourceStores({
      registry,
      clock,
      admission: newAdmissionChain(data.admission, initializer, observed),
      store,
      rules: releaseRules(minor),
      strategies: withGroupStrategies(
        builtinStrategies({
          authorizer,
          ruleResolver: { roleReferenceRules, rulesFor: resolveRules },
          tokens: { authenticateToken: ask.tokens.authenticateToken },
          audiences: data.audiences,
          serviceAllocators: askedAllocators(ask, data.serviceFamilies),
          kinds: { mapping: (kind) => mapper.mapping(kind) },
          features: data.features,
          minor,
        }),
        groups,
      ),
    });
    const external = data.hasExternalObjects ? askedExternalObjects(objects) : undefined;
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
      quota: effects,
      rateLimiters: effects,
    };
    initializer.initialize(context);
    const handle = createResourceHandler({
      registry,
      stores,
      clock,
      authorizer,
      minRequestTimeout: 0,
      issueToken: async (parameters) => ask.tokens.issue(parameters),
      unsafeDeletion: data.unsafeDeletion,
    });
    return new JobRunner(handle, { clock, store, observed, customResources });
  }

  async run(job: Job): Promise<Outcome> {
    this.#clock.time = job.now;
    this.#store.root = job.root;
    const audit = job.audit && new RequestAudit({ ...job.audit, omitStages: new Set() });
    const ctx = contextOf(job, audit);
    const result = await this.#respond(job, ctx);
    const { warnings, written } = ctx.state;
    return {
      kind: 'outcome',
      result,
      effects: this.#store.effects.take(),
      written: written && { name: written.name, revision: written.revision },
      warnings,
      observations: this.#observed.take(),
      audit: audit?.record(),
    };
  }

  async #respond({ definition }: Job, ctx: ApiContext): Promise<Outcome['result']> {
    try {
      if (definition !== undefined) await this.#customResources.refresh(definition);
      await this.#handle(ctx, () => {
        throw pathNotFound();
      });
      const { heldResponse: response } = ctx.state;
      if (response === undefined) throw new Error('the endpoint sent no response');
      return { response };
    } catch (error) {
      return { error: serializeError(error) };
    }
  }
}

/** Returns allocators whose results the thread waits for. */
const askedAllocators = ({ serviceAllocators }: Ask, families: ServiceAllocators['families']): ServiceAllocators => ({
  families,
  allocateClusterIP: async (request) => serviceAllocators.allocateClusterIP(request),
  releaseClusterIP: async (address, service) => serviceAllocators.releaseClusterIP(address, service),
  allocateNodePort: async (request) => serviceAllocators.allocateNodePort(request),
  releaseNodePorts: async (ports) => serviceAllocators.releaseNodePorts(ports),
});

/** Returns the context of a request whose response is held for the server. */
function contextOf(job: Job, audit: RequestAudit | undefined): ApiContext {
  const { method, url, headers, auditId, receivedAt, user, cbor, body, deadline } = job;
  const request = { method, url, headers, httpVersionMajor: 2 };
  const ctx = new ApiContext(request as unknown as IncomingMessage, {} as ServerResponse);
  const state = parseRequest(method, url, auditId, receivedAt);
  Object.assign(state, {
    user,
    deadline,
    cborEnabled: cbor,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    sendsResponse: 'whenAudited',
    ...(audit && { audit }),
  });
  ctx.state = state;
  return ctx;
}

disableEventLoopBudget();
const port = parentPort as MessagePort;
const heap = new WorkerHeap();
const opening = JobRunner.open(port, workerData as WorkerData);
void opening.then(() => heap.settle());
port.on('message', async (job: Job) => {
  const outcome = await (await opening).run(job);
  port.postMessage(outcome, 'response' in outcome.result ? buffersToTransfer(outcome.result.response.body) : []);
  heap.trim();
});
