import { part } from '../assembly/part.ts';
import { ControllerManager } from '../controllers/controller-manager.ts';
import { csrSigning } from '../controllers/csr-signing.ts';
import { newSchemaResolver } from '../controllers/schema-resolver.ts';
import { simulatedProcesses } from '../controllers/simulation.ts';
import { aggregation } from './aggregation.ts';
import { authentication, authorization } from './auth.ts';
import { signer } from './certificates.ts';
import { startedControlPlane } from './control-plane.ts';
import { dormancy } from './flow-control.ts';
import { config, controllerStarter } from './inputs.ts';
import { quota } from './plugins.ts';
import { stores } from './resources.ts';
import { serving } from './serving.ts';
import { leadership } from './shared-state.ts';

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
