import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createResourceHandler } from '../../endpoints/dispatch.ts';
import { CustomResourceReader } from '../../extensions/crd/custom-resource-reader.ts';
import type { ApiMiddleware } from '../../http/context.ts';
import type { Clock } from '../../machinery/clock.ts';
import { disableEventLoopBudget } from '../../machinery/event-loop/budget.ts';

import { pathNotFound } from '../../machinery/status.ts';
import { setServiceAddresses } from '../../resources/builtin/core/service-addresses.ts';
import { builtinStrategies } from '../../resources/builtin/index.ts';
import { withGroupStrategies } from '../../resources/group-strategies.ts';
import { ResourceRegistry } from '../../resources/registry.ts';
import { ResourceStores } from '../../resources/stores.ts';
import { scaleType } from '../custom-resources.ts';
import { importGroups } from '../group-modules.ts';
import { catalogOf, ownGroups } from '../groups.ts';
import { applyRuntimeConfig } from '../runtime-config.ts';
import { CapturedRequest } from './captured-request.ts';
import { toWire, type WorkerOutcome, type WorkerRequest, type WorkerSetup } from './protocol.ts';
import {
  remoteAuthorizer,
  remoteIssuer,
  remoteServer,
  remoteServiceAddresses,
  remoteVerifiers,
} from './remote-server.ts';
import { RemoteStore } from './remote-store.ts';

/*
 * A worker thread: serves the requests that the server hands over, one at a time, with the same endpoints and rules, on
 * the server's store.
 */

/** The time of the request under way. */
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

class RequestServer {
  readonly #clock: RequestClock;
  readonly #handle: ApiMiddleware;
  readonly #customResources: CustomResourceReader;

  private constructor(handle: ApiMiddleware, customResources: CustomResourceReader, clock: RequestClock) {
    this.#handle = handle;
    this.#customResources = customResources;
    this.#clock = clock;
  }

  static async open(port: MessagePort, setup: WorkerSetup): Promise<RequestServer> {
    const server = remoteServer(port, setup.calls);
    const clock = new RequestClock();
    const others = await Promise.all(setup.groupModules.map(importGroups));
    const groups = [await ownGroups(setup.builtin), ...others.flat()];
    const registry = new ResourceRegistry();
    for (const catalog of applyRuntimeConfig(groups.map(catalogOf), setup.runtimeConfig)) registry.add(catalog);
    const authorizer = remoteAuthorizer(server, setup.listsRules);
    const stores = new ResourceStores({
      ...{ registry, clock, authorizer },
      store: new RemoteStore(server),
      strategies: withGroupStrategies(builtinStrategies, groups),
      tokens: remoteVerifiers(server, setup.verifiers),
      audiences: setup.audiences,
    });
    setServiceAddresses(stores, remoteServiceAddresses(server));
    const handle = createResourceHandler({
      ...{ registry, stores, clock, authorizer, minRequestTimeout: 0, issueToken: remoteIssuer(server) },
    });
    return new RequestServer(handle, new CustomResourceReader(stores, scaleType), clock);
  }

  async run(request: WorkerRequest): Promise<WorkerOutcome> {
    this.#clock.time = request.now;
    let captured: CapturedRequest | undefined;
    try {
      captured = new CapturedRequest(request);
      if (request.definition !== undefined) await this.#customResources.refresh(request.definition);
      await this.#handle(captured.ctx, () => {
        throw pathNotFound();
      });
      return { kind: 'answered', answer: captured.answer() };
    } catch (error) {
      return { kind: 'failed', error: toWire(error), warnings: captured?.warnings ?? [] };
    }
  }
}

disableEventLoopBudget();
const port = parentPort as MessagePort;
const opening = RequestServer.open(port, workerData as WorkerSetup);
port.on('message', async (request: WorkerRequest) => {
  const outcome = await (await opening).run(request);
  port.postMessage(outcome);
});
