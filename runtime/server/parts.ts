import type { Part } from './assembly/part.ts';
import type { CompletedConfig } from './config.ts';
import { admission, admissionChain, rateLimiters } from './parts/admission.ts';
import { aggregation } from './parts/aggregation.ts';
import { authentication, authorization } from './parts/auth.ts';
import * as bootstrap from './parts/bootstrap.ts';
import { certificates, signer, tls } from './parts/certificates.ts';
import { startedControlPlane } from './parts/control-plane.ts';
import { controllerManager } from './parts/controllers.ts';
import { endpoints, resourceHandler } from './parts/endpoints.ts';
import { dormancy, flowControl, startedFlowControl } from './parts/flow-control.ts';
import { health } from './parts/health.ts';
import { delegate, listers } from './parts/listers.ts';
import { kubelets, nodes, podPrograms, proxyTransports } from './parts/nodes.ts';
import { audit, metricsPage, version } from './parts/observation.ts';
import { activityLog, page } from './parts/page.ts';
import { initializedPlugins, quota } from './parts/plugins.ts';
import * as resources from './parts/resources.ts';
import { discovery, routes, serves } from './parts/routes.ts';
import { serving } from './parts/serving.ts';
import { leadership, loopback, metrics, milestones, pluginInitializer, serverAddress } from './parts/shared-state.ts';
import { loadedFixtures, startedControllers } from './parts/started-controllers.ts';
import { encryption, objectStore, storage } from './parts/storage.ts';
import { fixtures, initialSnapshot, recorder, replay, requestLog } from './parts/test-kit.ts';
import { workers } from './parts/workers.ts';

/** Returns the parts of a server in opening order. Needs may change the order. */
export function serverParts(config: CompletedConfig): readonly Part<unknown>[] {
  return [
    ...testKitParts(config),
    ...(hasPage(config) ? [activityLog] : []),
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
    delegate,
    listers,
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
    podPrograms,
    nodes,
    resourceHandler,
    version,
    metricsPage,
    health,
    discovery,
    routes,
    serves,
    endpoints,
    tls,
    certificates,
    signer,
    ...(hasPage(config) ? [page] : []),
    serving,
    // controllers
    startedControlPlane,
    controllerManager,
    loadedFixtures,
    startedControllers,
  ];
}

const hasPage = ({ options, listens }: CompletedConfig): boolean => Boolean(options.ui) && listens;

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
