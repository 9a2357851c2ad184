import type { IncomingMessage } from 'node:http';
import { unionAuthenticator } from '../authentication/authenticator.ts';
import { createErrorResponder, type ErrorResponderOptions } from '../http/error-response.ts';
import { bindAddressOf } from '../options/bind-address.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { ServerCertificates } from '../serving/certificates.ts';
import { buildHandlerChain, type HandlerChainOptions } from '../serving/handler-chain.ts';
import { InProcessConnections } from '../serving/in-process.ts';
import { type ListenLimits, listen } from '../serving/listen.ts';
import { type SecureServing, type ServedPage, secureServing } from '../serving/secure-serving.ts';
import type { SigningAuthority } from '../serving/signing-authority.ts';
import type { TlsSettings } from '../serving/tls/contexts.ts';
import { ServingCertificates } from '../serving/tls/serving-certificates.ts';
import type { ServerAuthentication } from './authentication/authentication.ts';
import { delegatesAuthentication } from './delegated/config.ts';
import { type HandlerSettings, handlerSettings, requestTimeoutOf } from './handler-settings.ts';

/** The parts of a server that its handler chain needs. */
type ServedParts = Omit<HandlerChainOptions, keyof HandlerSettings | 'authenticator' | 'isProxyHeader' | 'respondError'>;

export interface SecureServingConfig extends ServedParts {
  readonly options: ServerOptions;
  readonly tls: TlsSettings;
  readonly certificates: ServerCertificates;
  readonly signer: SigningAuthority;
  /** False for a server without a port, which only this process can reach. Default: true. */
  readonly listens?: boolean;
  readonly authentication: ServerAuthentication;
  readonly features: Parameters<typeof handlerSettings>[1];
  /** Absent if the server has no page. */
  readonly page?: ServedPage | undefined;
  readonly encodeProtobufStatus?: ErrorResponderOptions['encodeProtobuf'];
  /** Shorter times, for tests. */
  readonly listenLimits?: Partial<ListenLimits>;
}

/** Opens the port, with certificates, authenticators and the handler chain between it and the endpoints. */
export async function startSecureServing(config: SecureServingConfig): Promise<SecureServing> {
  const { options, certificates, signer, tls, listens = true, authentication, clock, logger, features, page } = config;
  const bindAddress = bindAddressOf(options);
  const files = await ServingCertificates.open({ options, clock, logger });
  const { authenticator, isProxyHeader } = authentication.withAuthorities(signer);
  const inProcess = new InProcessConnections();
  const { onRequest, addFilter } = buildHandlerChain({
    ...config,
    isProxyHeader,
    ...(page && { endpoints: page.endpoint(config.endpoints), recording: page.recording(config.recording) }),
    authenticator: unionAuthenticator([...(page ? [page.authenticator] : []), inProcess.authenticator, authenticator]),
    ...handlerSettings(options, features),
    respondError: createErrorResponder({
      encodeProtobuf: config.encodeProtobufStatus,
      report: (error, ctx) =>
        logger.error({ err: error, method: ctx.method, path: ctx.path, auditId: ctx.state?.auditId }, 'request failed'),
    }),
  });
  if (page) addFilter(page.filter);
  inProcess.serve(onRequest);
  const open = listens ? listen : async () => inProcess.listener();
  const listener = await open({
    address: bindAddress,
    port: options.port ?? 0,
    certificates: { ...files.served(certificates.serving), clientAuthorities: authentication.clientAuthorities },
    tls,
    onRequest: page?.serve(onRequest) ?? onRequest,
    onHandshakeError: () => config.metrics.access.handshakeFailed(),
    limits: {
      ...streamLimit(options),
      // longer than the timeout filter, so that slow clients get its response
      request: requestTimeoutOf(options) + 5000,
      ...config.listenLimits,
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
  const opened = secureServing({ ...listener, close, destroyConnectionOf }, bindAddress, {
    certificates,
    signer,
    connect: () => inProcess.connect(),
    configured: files.configured,
    refresh: () => files.refresh(),
    addFilter,
  });
  page?.listening({
    url: opened.url,
    certificates() {
      const { serving, named = [] } = files.served(certificates.serving);
      return [serving.certificate, ...named.map(({ pair }) => pair.certificate)];
    },
  });
  return opened;
}

/** An aggregated server's client is a proxy with the requests of many clients. (NewRecommendedOptions) */
const aggregatedStreams = 1000;

function streamLimit(options: ServerOptions): Partial<ListenLimits> {
  const { http2MaxStreamsPerConnection: streams } = options;
  if (streams) return { streams };
  return delegatesAuthentication(options) ? { streams: aggregatedStreams } : {};
}
