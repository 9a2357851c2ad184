import type { ProcessName } from '../../reconcile/controller-selection.ts';
import { optional, part } from '../assembly/part.ts';
import { ControllerManager } from '../controllers/controller-manager.ts';
import { csrSigning } from '../controllers/csr-signing.ts';
import { newSchemaResolver } from '../controllers/schema-resolver.ts';
import { simulatedProcesses } from '../controllers/simulation.ts';
import { aggregation } from './aggregation.ts';
import { authentication, authorization } from './auth.ts';
import { controlPlane } from './bootstrap.ts';
import { signer } from './certificates.ts';
import { dormancy, startedFlowControl } from './flow-control.ts';
import { config, controllerStarter } from './inputs.ts';
import { quota } from './plugins.ts';
import { stores } from './resources.ts';
import { serving } from './serving.ts';
import { leadership } from './shared-state.ts';
import { fixtures, requestLog } from './test-kit.ts';

/** Controllers whose first objects must exist before the server is ready, such as the rules of admin, edit and view. */
const awaited: readonly ProcessName[] = [
  'clusterrole-aggregation-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'kubelets',
];

/** Starts the controllers of kube-apiserver that need the port. */
export const startedControlPlane = part('startedControlPlane', {
  needs: { controlPlane, serving, authentication, dormancy, startedFlowControl },
  async open({ controlPlane, serving: { listener }, authentication, dormancy, startedFlowControl }) {
    await startedFlowControl.ready;
    if (dormancy === undefined) await controlPlane.run(listener.port, authentication);
    else await controlPlane.sleep(listener.port, authentication, dormancy.alarm);
  },
});

/** The controllers of kube-controller-manager, and the processes of the simulated cluster. */
export const controllerManager = part('controllerManager', {
  needs: {
    config,
    stores,
    leadership,
    serving,
    signer,
    authentication,
    authorization,
    quota,
    aggregation,
    dormancy,
    startedControlPlane,
    controllerStarter,
  },
  async open({ config, stores, leadership, serving, signer, dormancy, quota, aggregation, ...needs }) {
    const { options, logger, features, controllers: names, startOrder: order, leaderElection: election } = config;
    const context = {
      stores,
      logger,
      quota,
      features,
      rootCertificates: serving.caCertificate,
      issueLegacyToken: needs.authentication.accounts.issueLegacyToken,
      authorizer: needs.authorization.authorizer,
      signing: await csrSigning(options, () => signer.current()),
      resolveSchema: newSchemaResolver(stores.registry),
      remoteResources: aggregation.aggregator?.resources,
    };
    const set = { start: needs.controllerStarter, names, others: simulatedProcesses(options), order, dormancy };
    return new ControllerManager(context, set, { election, leadership });
  },
  close: (opened) => opened.close(),
});

/** Writes the fixtures before the controllers start. */
export const loadedFixtures = part('loadedFixtures', {
  needs: { serving, controllerManager, fixtures: optional(fixtures), requestLog: optional(requestLog) },
  async open({ serving, fixtures, requestLog }) {
    await fixtures?.load(serving);
    // the log for tests begins here
    requestLog?.clear();
  },
});

/** Starts the controllers. */
export const startedControllers = part('startedControllers', {
  needs: { config, controllerManager, loadedFixtures },
  async open({ config: { startOrder }, controllerManager }) {
    await controllerManager.start();
    await Promise.all(awaited.map((name) => controllerManager.whenSynced(name)));
    // in a fixed start order, waits until all others have started
    await startOrder(() => undefined);
  },
});
