import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { unionAuthenticator } from '../authentication/authenticator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { AuditFilterOptions } from '../filters/audit.ts';
import type { StrictGroup } from '../filters/strict-fields.ts';
import type { ApiMiddleware } from '../http/context.ts';
import { createErrorResponder } from '../http/error-response.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Status } from '../machinery/errors/status.ts';
import type { FeatureGates } from '../machinery/feature-gates/feature-gates.ts';
import type { Logger } from '../machinery/logger.ts';
import type { Random } from '../machinery/random.ts';
import { bindAddressOf } from '../options/bind-address.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { ServerCertificates } from '../serving/certificates.ts';
import { buildHandlerChain } from '../serving/handler-chain.ts';
import { InProcessConnections } from '../serving/in-process.ts';
import { formatKubeconfig } from '../serving/kubeconfig.ts';
import { type Listener, type ListenLimits, listen } from '../serving/listen.ts';
import type { SigningAuthority } from '../serving/signing-authority.ts';
import type { TlsSettings } from '../serving/tls/contexts.ts';
import { ServingCertificates } from '../serving/tls/serving-certificates.ts';
import type { KeyPair } from '../serving/x509-certificate.ts';
import type { ServerAuthentication } from './authentication/authentication.ts';
import { delegatesAuthentication } from './delegated/config.ts';
import type { ServerMetrics } from './server-metrics.ts';

export interface SecureServingConfig {
  readonly options: ServerOptions;
  readonly tls: TlsSettings;
  readonly certificates: ServerCertificates;
  readonly signer: SigningAuthority;
  /** False for a server without a port, which only this process can reach. Default: true. */
  readonly listens?: boolean;
  readonly authentication: ServerAuthentication;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  /** See HandlerChainOptions.requestOrder. */
  readonly requestOrder?: ApiMiddleware | undefined;
  readonly logger: Logger;
  readonly features: FeatureGates;
  readonly waitGroup: RequestWaitGroup;
  readonly metrics: ServerMetrics;
  readonly serves: (info: RequestInfo) => boolean;
  readonly encodeProtobufStatus?: ((status: Status) => Uint8Array) | undefined;
  /** See HandlerChainOptions.audit. */
  readonly audit?: AuditFilterOptions | undefined;
  /** See HandlerChainOptions.isDraining. */
  readonly isDraining?: () => boolean;
  /** See HandlerChainOptions.flowControl. */
  readonly flowControl?: ApiMiddleware | undefined;
  /** See HandlerChainOptions.requestLog. */
  readonly requestLog?: ApiMiddleware | undefined;
  /** See HandlerChainOptions.recording. */
  readonly recording?: ApiMiddleware | undefined;
  /** See HandlerChainOptions.replay. */
  readonly replay?: ApiMiddleware | undefined;
  readonly exemptGroup?: StrictGroup | undefined;
  /** Shorter times, for tests. */
  readonly listenLimits?: Partial<ListenLimits>;
  readonly endpoints: ApiMiddleware;
}

/** An open port, and the credentials to use it. */
export interface SecureServing {
  readonly listener: Listener;
  /** For example `https://127.0.0.1:6443`, even if the server listens on all addresses. */
  readonly url: string;
  /** PEM of the CA of the serving certificate. */
  readonly caCertificate: string;
  /** Signs certificate requests. */
  readonly signer: SigningAuthority;
  readonly admin: KeyPair;
  readonly kubeconfig: string;
  /** The server's own certificates, for its forks. */
  readonly certificates: ServerCertificates;
  /** Opens a connection from inside this process, for HTTP/1.1 in the administrator's name. */
  connect(): Duplex;
  /** Adds a filter, like HandlerChain.addFilter. */
  addFilter(filter: ApiMiddleware): void;
  /** Reads the files of the serving certificates again. Resolves when changes are in force. */
  refreshCertificates(): Promise<void>;
}

/** Opens the port, with certificates, authenticators and the handler chain between it and the endpoints. */
export async function startSecureServing(servingOptions: SecureServingConfig): Promise<SecureServing> {
  const { options, certificates, signer, tls, listens = true, authentication, clock, logger, features } = servingOptions;
  const bindAddress = bindAddressOf(options);
  const files = await ServingCertificates.open({ options, clock, logger });
  const { authenticator, isProxyHeader } = authentication.withAuthorities(signer);
  const inProcess = new InProcessConnections();
  const { onRequest, addFilter } = buildHandlerChain({
    ...servingOptions,
    isProxyHeader,
    authenticator: unionAuthenticator([inProcess.authenticator, authenticator]),
    requestTimeout: options.requestTimeout ?? 60_000,
    watchesPerUser: options.maxWatchesPerUser ?? 10_000,
    corsAllowedOrigins: options.corsAllowedOrigins ?? [],
    strictTransportSecurityDirectives: options.strictTransportSecurityDirectives ?? [],
    goawayChance: options.goawayChance ?? 0,
    closesUnauthenticated: features.UnauthenticatedHTTP2DOSMitigation,
    compression: features.APIResponseCompression,
    cbor: features.CBORServingAndStorage,
    constrainedImpersonation: features.ConstrainedImpersonation,
    respondError: createErrorResponder({
      encodeProtobuf: servingOptions.encodeProtobufStatus,
      report: (error, ctx) =>
        logger.error({ err: error, method: ctx.method, path: ctx.path, auditId: ctx.state?.auditId }, 'request failed'),
    }),
  });
  inProcess.serve(onRequest);
  const open = listens ? listen : async () => inProcess.listener();
  const listener = await open({
    address: bindAddress,
    port: options.port ?? 0,
    certificates: { ...files.served(certificates.serving), clientAuthorities: authentication.clientAuthorities },
    tls,
    onRequest,
    onHandshakeError: () => servingOptions.metrics.access.handshakeFailed(),
    limits: {
      ...streamLimit(options),
      // longer than the timeout filter, so that slow clients get its response
      request: (options.requestTimeout ?? 60_000) + 5000,
      ...servingOptions.listenLimits,
    },
  });
  authentication.onAuthoritiesChange(() => listener.setCertificates({ clientAuthorities: authentication.clientAuthorities }));
  files.onChange(() => listener.setCertificates(files.served(certificates.serving)));
  const close = async (): Promise<void> => {
    inProcess.close();
    await listener.close().finally(() => files.close());
  };
  const destroyConnectionOf = (request: IncomingMessage): void => {
    if (!inProcess.destroyOf(request)) listener.destroyConnectionOf(request);
  };
  return secureServing({ ...listener, close, destroyConnectionOf }, bindAddress, {
    certificates,
    signer,
    connect: () => inProcess.connect(),
    configured: files.configured,
    refresh: () => files.refresh(),
    addFilter,
  });
}

/** An aggregated server's client is a proxy with the requests of many clients. (NewRecommendedOptions) */
const aggregatedStreams = 1000;

function streamLimit(options: ServerOptions): Partial<ListenLimits> {
  const { http2MaxStreamsPerConnection: streams } = options;
  if (streams) return { streams };
  return delegatesAuthentication(options) ? { streams: aggregatedStreams } : {};
}

interface ServingParts extends Pick<SecureServing, 'addFilter' | 'certificates' | 'signer' | 'connect'> {
  /** Replaces the server's own certificate. */
  readonly configured?: KeyPair | undefined;
  refresh(): Promise<void>;
}

function secureServing(listener: Listener, bindAddress: string, parts: ServingParts): SecureServing {
  const { certificates, signer, configured, refresh, addFilter, connect } = parts;
  const { admin } = certificates;
  const host = bindAddress === '0.0.0.0' ? '127.0.0.1' : bindAddress === '::' ? '::1' : bindAddress;
  const url = `https://${isIPv6(host) ? `[${host}]` : host}:${listener.port}`;
  // the CA of a configured certificate is unknown; its own chain is the best guess
  const ca = configured?.certificate ?? certificates.ca;
  const kubeconfig = formatKubeconfig({ url, ca, clientCertificate: admin.certificate, clientKey: admin.key });
  return {
    listener,
    url,
    caCertificate: ca,
    certificates,
    signer,
    admin,
    kubeconfig,
    addFilter,
    connect,
    refreshCertificates: refresh,
  };
}
