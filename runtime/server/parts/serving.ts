import { encodeEnvelope } from '../../codec/protobuf.ts';
import { isFixedPath } from '../../endpoints/fixed/routes.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import type { Catalog } from '../../machinery/catalog.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Status } from '../../machinery/errors/status.ts';
import type { ProtobufCodec } from '../../machinery/protobuf/codec.ts';
import { writeMessage } from '../../machinery/protobuf/message-writer.ts';
import { optional, part } from '../assembly/part.ts';
import { startSecureServing } from '../secure-serving.ts';
import { aggregation } from './aggregation.ts';
import { authentication, authorization } from './auth.ts';
import { certificates, signer, tls } from './certificates.ts';
import { endpoints } from './endpoints.ts';
import { startedFlowControl } from './flow-control.ts';
import { config, shutdown, waitGroup } from './inputs.ts';
import { audit } from './observation.ts';
import { registry } from './resources.ts';
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
    registry,
    aggregation,
    serverAddress,
    audit,
    endpoints,
    tls,
    certificates,
    signer,
    requestLog: optional(requestLog),
    recorder: optional(recorder),
    replay: optional(replay),
  },
  async open({ config, shutdown, authorization: { authorizer }, startedFlowControl, registry, ...needs }) {
    const { waitGroup, metrics, authentication, audit, endpoints, tls, certificates, signer, aggregation } = needs;
    const { options, clock, logger, features, catalogs, random, requestOrder, listens } = config;
    const serves = ({ isResourceRequest, group, version, resource, path }: RequestInfo): boolean => {
      if (!isResourceRequest) return isFixedPath(path);
      if (aggregation.aggregator?.isRemote(group, version)) return false;
      return registry.lookup(group, version, resource) !== undefined;
    };
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

/** Returns a function that encodes a Status in protobuf; undefined if the release has no codec for it. */
async function statusEncoder(catalog: Catalog): Promise<((status: Status) => Uint8Array) | undefined> {
  const codec = (await catalog.loadMeta()).Status?.protobuf as ProtobufCodec<Status> | undefined;
  if (codec === undefined) return undefined;
  return (status) =>
    encodeEnvelope(
      'v1',
      'Status',
      writeMessage((writer) => codec.encode(status, writer)),
    );
}
