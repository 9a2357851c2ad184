import { elementAt } from '../../machinery/collections/element-at.ts';
import { optional, part } from '../assembly/part.ts';
import { startSecureServing } from '../start-secure-serving.ts';
import { statusEncoder } from '../status-encoder.ts';
import { authentication, authorization } from './auth.ts';
import { certificates, signer, tls } from './certificates.ts';
import { endpoints } from './endpoints.ts';
import { startedFlowControl } from './flow-control.ts';
import { config, shutdown, waitGroup } from './inputs.ts';
import { audit } from './observation.ts';
import { page } from './page.ts';
import { serves } from './routes.ts';
import { metrics, serverAddress } from './shared-state.ts';
import { recorder, replay, requestLog } from './test-kit.ts';

/** The open port, with the handler chain between it and the endpoints. */
export const serving = part('serving', {
  needs: {
    config,
    shutdown,
    waitGroup,
    metrics,
    authentication,
    authorization,
    startedFlowControl,
    serves,
    serverAddress,
    audit,
    endpoints,
    tls,
    certificates,
    signer,
    requestLog: optional(requestLog),
    recorder: optional(recorder),
    replay: optional(replay),
    page: optional(page),
  },
  async open({ config, shutdown, authorization: { authorizer }, startedFlowControl, ...needs }) {
    const { waitGroup, metrics, authentication, audit, serves, endpoints, tls, certificates, signer } = needs;
    const { options, clock, logger, features, catalogs, random, requestOrder, listens } = config;
    const opened = await startSecureServing({
      options,
      authentication,
      authorizer,
      audit,
      clock,
      logger,
      features,
      waitGroup,
      random,
      requestOrder,
      metrics,
      tls,
      certificates,
      signer,
      listens,
      page: needs.page,
      serves,
      endpoints,
      ...(options.shutdownSendRetryAfter ? { isDraining: () => shutdown.isDraining } : {}),
      exemptGroup: config.testGroup?.strict,
      encodeProtobufStatus: await statusEncoder(elementAt(catalogs, 0)),
      flowControl: startedFlowControl.flowControl.filter,
      requestLog: needs.requestLog?.filter,
      recording: needs.recorder?.filter,
      replay: options.replay?.paused ? needs.replay?.filter : undefined,
    });
    shutdown.setListener(opened.listener);
    needs.serverAddress.listening(opened.url);
    return opened;
  },
});
