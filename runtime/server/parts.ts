import type { Part } from './assembly/part.ts';
import type { CompletedConfig } from './config.ts';
import { admission, admissionChain, rateLimiters } from './parts/admission.ts';
import { aggregation } from './parts/aggregation.ts';
import { authentication, authorization } from './parts/auth.ts';
import * as bootstrap from './parts/bootstrap.ts';
import { certificates, signer, tls } from './parts/certificates.ts';
import * as controllers from './parts/controllers.ts';
import { discovery, endpoints, resourceHandler, routes } from './parts/endpoints.ts';
import { dormancy, flowControl, startedFlowControl } from './parts/flow-control.ts';
import { kubelets, nodes, proxyTransports } from './parts/nodes.ts';
import { audit, health, metricsPage, version } from './parts/observation.ts';
import { initializedPlugins, quota } from './parts/plugins.ts';
import * as resources from './parts/resources.ts';
import { serving } from './parts/serving.ts';
import { leadership, loopback, metrics, milestones, pluginInitializer, serverAddress } from './parts/shared-state.ts';
import { encryption, objectStore, storage } from './parts/storage.ts';
import { fixtures, initialSnapshot, recorder, replay, requestLog } from './parts/test-kit.ts';
import { workers } from './parts/workers.ts';

/** Returns the parts of a server in opening order. Needs may change the order. */
export function serverParts(config: CompletedConfig): readonly Part<unknown>[] {
  return [
    ...testKitParts(config),
    // objects
    metrics,
    milestones,
    encryption,
    storage,
    objectStore,
    resources.registry,
    resources.restMapper,
    // access
    loopback,
    authentication,
    authorization,
    // resources
    leadership,
    resources.serviceAllocators,
    pluginInitializer,
    admissionChain,
    admission,
    resources.stores,
    resources.delegate,
    resources.listers,
    quota,
    rateLimiters,
    initializedPlugins,
    flowControl,
    // the objects that every cluster has
    bootstrap.restoration,
    bootstrap.controlPlane,
    bootstrap.bootstrapObjects,
    bootstrap.followedPolicy,
    bootstrap.customResources,
    bootstrap.restoredCustomResources,
    serverAddress,
    aggregation,
    dormancy,
    startedFlowControl,
    // requests
    audit,
    workers,
    proxyTransports,
    kubelets,
    nodes,
    resourceHandler,
    version,
    metricsPage,
    health,
    discovery,
    routes,
    endpoints,
    tls,
    certificates,
    signer,
    serving,
    // controllers
    controllers.startedControlPlane,
    controllers.controllerManager,
    controllers.loadedFixtures,
    controllers.startedControllers,
  ];
}

/** Returns the parts for tests. Options decide about each. */
function testKitParts({ options }: CompletedConfig): readonly Part<unknown>[] {
  const { testControls = false, requestLog: capacity, fixtures: files, snapshot } = options;
  const isLogged = capacity === undefined ? testControls : capacity !== 0;
  return [
    ...(isLogged ? [requestLog] : []),
    ...(files === undefined ? [] : [fixtures]),
    ...(snapshot === undefined ? [] : [initialSnapshot]),
    ...(options.replay === undefined ? [] : [replay]),
    ...(options.record === undefined ? [] : [recorder]),
  ];
}
