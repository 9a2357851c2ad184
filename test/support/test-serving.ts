import { type ClientHttp2Session, connect } from 'node:http2';
import { alwaysAllow } from '../../runtime/authorization/authorizer.ts';
import type { ApiMiddleware } from '../../runtime/http/context.ts';
import { RequestWaitGroup } from '../../runtime/http/request-wait-group.ts';
import { parseFeatureGates } from '../../runtime/machinery/feature-gates/feature-gates.ts';
import { silentLogger } from '../../runtime/machinery/logger.ts';
import { bindAddressOf } from '../../runtime/options/bind-address.ts';
import type { ServerOptions } from '../../runtime/options/server-options.ts';
import { ServerAuthentication } from '../../runtime/server/authentication/authentication.ts';
import { ServerMetrics } from '../../runtime/server/server-metrics.ts';
import { validateServerRunOptions } from '../../runtime/server/server-run-options.ts';
import { startSecureServing } from '../../runtime/server/start-secure-serving.ts';
import { timeAndChance } from '../../runtime/server/test-kit/determinism.ts';
import { loadOrCreateCertificates } from '../../runtime/serving/certificates.ts';
import { GracefulShutdown } from '../../runtime/serving/graceful-shutdown.ts';
import type { ListenLimits } from '../../runtime/serving/listen.ts';
import type { SecureServing } from '../../runtime/serving/secure-serving.ts';
import { SigningAuthority } from '../../runtime/serving/signing-authority.ts';
import { tlsSettings } from '../../runtime/serving/tls/serving-certificates.ts';
import type { KeyPair } from '../../runtime/serving/x509-certificate.ts';

export interface TestServing extends SecureServing {
  readonly authentication: ServerAuthentication;
  readonly metrics: ServerMetrics;
  readonly waitGroup: RequestWaitGroup;
  readonly gracefulShutdown: GracefulShutdown;
}

/** Starts the secure serving of a server with `endpoints` in place of the API. Default: no limits. */
export async function startTestServing(
  endpoints: ApiMiddleware,
  options: ServerOptions = {},
  limits?: ApiMiddleware,
  listenLimits?: Partial<ListenLimits>,
): Promise<TestServing> {
  const waitGroup = new RequestWaitGroup();
  const metrics = new ServerMetrics();
  const common = { ...(await timeAndChance(options)), logger: silentLogger, waitGroup };
  const features = parseFeatureGates(options.featureGates ?? []);
  const { authorizer = alwaysAllow } = options;
  const authentication = await ServerAuthentication.open({
    ...common,
    features,
    options: { ...options, authorizer },
    stores: () => {
      throw new Error('this server has no objects');
    },
  });
  const gracefulShutdown = new GracefulShutdown({
    ...common,
    shutdownDelay: 0,
    drainTimeout: options.drainTimeout ?? 20_000,
    sendRetryAfter: options.shutdownSendRetryAfter,
  });
  const { clock, keys } = common;
  const bindAddress = bindAddressOf(options);
  const certificates = await loadOrCreateCertificates({ folder: options.certDir, bindAddress, clock, keys });
  const ownCA = { certificate: certificates.ca, key: certificates.caKey };
  validateServerRunOptions(options);
  const serving = await startSecureServing({
    ...common,
    certificates,
    signer: new SigningAuthority(ownCA, { clock, keys }),
    tls: tlsSettings(options, silentLogger),
    options,
    features,
    authentication,
    authorizer,
    metrics,
    serves: () => true,
    ...(options.shutdownSendRetryAfter ? { isDraining: () => gracefulShutdown.isDraining } : {}),
    flowControl: limits,
    listenLimits,
    endpoints,
  });
  gracefulShutdown.setListener(serving.listener);
  gracefulShutdown.addShutdownHook(() => authentication.close());
  return { ...serving, authentication, metrics, waitGroup, gracefulShutdown };
}

type ServingAddress = Pick<SecureServing, 'url' | 'caCertificate' | 'admin'>;

/** Sends a request over HTTP/2 on a new session. */
export async function http2Get(
  serving: ServingAddress,
  path: string,
  options: { pair?: KeyPair; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const session = openSession(serving, options.pair);
  try {
    const stream = session.request({ ':path': path, ...options.headers });
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      stream.on('response', (got) => resolve(got as Record<string, unknown>));
      stream.on('error', reject);
      session.on('error', reject);
    });
    let body = '';
    for await (const part of stream.setEncoding('utf8')) body += part;
    return { status: headers[':status'] as number, headers, body };
  } finally {
    session.close();
  }
}

/** Opens a session with the administrator's certificate, or with another one. */
export function openSession(serving: ServingAddress, { certificate: cert, key }: KeyPair = serving.admin): ClientHttp2Session {
  return connect(serving.url, { ca: serving.caCertificate, cert, key });
}
