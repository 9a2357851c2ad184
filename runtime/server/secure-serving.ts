import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { type Authenticator, firstOf, isOpenPath, orAnonymous } from '../auth/authenticator.ts';
import { alwaysAllow } from '../auth/authorizer.ts';
import { bearerTokenAuthenticator, type TokenVerifier } from '../auth/bearer-token.ts';
import { x509Authenticator } from '../auth/x509.ts';
import type { ApiMiddleware } from '../http/context.ts';
import { createErrorResponder } from '../http/error-response.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Status } from '../machinery/status.ts';
import type { Logger } from '../observe/logger.ts';
import type { RequestMetrics } from '../observe/request-metrics.ts';
import { provideCertificates, type ServerCertificates } from './certificates.ts';
import { type FeatureGates, OptionError } from './feature-gates.ts';
import { buildHandlerChain } from './handler-chain.ts';
import { formatKubeconfig } from './kubeconfig.ts';
import { type Listener, type ListenLimits, listen } from './listen.ts';
import type { ServerOptions } from './options.ts';
import type { KeyPair } from './x509-certificate.ts';

export interface SecureServingOptions {
  readonly options: ServerOptions;
  /** Asked one after the other whose a bearer token is. */
  readonly tokens: readonly TokenVerifier[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly features: FeatureGates;
  readonly active: RequestWaitGroup;
  readonly metrics: RequestMetrics;
  readonly serves: (info: RequestInfo) => boolean;
  readonly encodeProtobufStatus?: (status: Status) => Uint8Array;
  readonly limits?: ApiMiddleware;
  /** For tests, which cannot wait. */
  readonly listenLimits?: Partial<ListenLimits>;
  readonly endpoints: ApiMiddleware;
}

/** A port that is open, and how to come in. */
export interface SecureServing {
  readonly listener: Listener;
  /** As `https://127.0.0.1:6443`; a server on all addresses is named by 127.0.0.1. */
  readonly url: string;
  /** PEM of the authority of the serving certificate. */
  readonly caCertificate: string;
  readonly admin: KeyPair;
  readonly kubeconfig: string;
}

/** Everything between the network and the endpoints: certificates, authenticators, the chain, the port. */
export async function startSecureServing(parts: SecureServingOptions): Promise<SecureServing> {
  const { options, clock, logger } = parts;
  const bindAddress = options.bindAddress ?? '127.0.0.1';
  const [certificates, given, clientAuthority] = await Promise.all([
    provideCertificates({ folder: options.certDir, bindAddress, clock }),
    givenServingPair(options),
    readAuthorities(options.clientCaFile),
  ]);
  const onRequest = buildHandlerChain({
    ...parts,
    authenticator: buildAuthenticator(parts),
    authorizer: options.authorizer ?? alwaysAllow,
    requestTimeout: options.requestTimeout ?? 60_000,
    watchesPerUser: options.maxWatchesPerUser ?? 10_000,
    compression: parts.features.APIResponseCompression,
    cbor: parts.features.CBORServingAndStorage,
    respondError: createErrorResponder({
      encodeProtobuf: parts.encodeProtobufStatus,
      report: (error, ctx) =>
        logger.error({ err: error, method: ctx.method, path: ctx.path, auditId: ctx.state?.auditId }, 'request failed'),
    }),
  });
  const listener = await listen({
    address: bindAddress,
    port: options.port ?? 0,
    serving: given ?? certificates.serving,
    clientAuthorities: [certificates.authority, ...(clientAuthority === undefined ? [] : [clientAuthority])],
    onRequest,
    limits: {
      ...(options.http2MaxStreamsPerConnection ? { streams: options.http2MaxStreamsPerConnection } : {}),
      // those who are slow are told so by the timeout filter first
      request: (options.requestTimeout ?? 60_000) + 5000,
      ...parts.listenLimits,
    },
  });
  return describe(listener, bindAddress, certificates, given);
}

function describe(
  listener: Listener,
  bindAddress: string,
  certificates: ServerCertificates,
  given?: KeyPair,
): SecureServing {
  const host = bindAddress === '0.0.0.0' ? '127.0.0.1' : bindAddress === '::' ? '::1' : bindAddress;
  const url = `https://${isIPv6(host) ? `[${host}]` : host}:${listener.port}`;
  // whoever brings a certificate knows its authority; its own chain is the best guess
  const authority = given?.certificate ?? certificates.authority;
  const { admin } = certificates;
  const kubeconfig = formatKubeconfig({ url, authority, clientCertificate: admin.certificate, clientKey: admin.key });
  return { listener, url, caCertificate: authority, admin, kubeconfig };
}

/**
 * Where everybody may do everything, strangers would too: without an authorizer of one's own they are let in for health
 * and /version alone. (kube-apiserver switches anonymous off beside AlwaysAllow: BuiltInAuthenticationOptions.ApplyAuthorization)
 */
function buildAuthenticator({ options, tokens, clock }: SecureServingOptions): Authenticator {
  const known = firstOf([x509Authenticator(clock), bearerTokenAuthenticator(tokens)]);
  if (options.anonymousAuth === false) return known;
  const { authorizer = alwaysAllow } = options;
  return orAnonymous(known, authorizer === alwaysAllow ? isOpenPath : undefined);
}

async function givenServingPair({ tlsCertFile, tlsPrivateKeyFile }: ServerOptions): Promise<KeyPair | undefined> {
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw new OptionError('--tls-cert-file and --tls-private-key-file go together');
  }
  const pair = {
    certificate: await readOption('tls-cert-file', tlsCertFile),
    key: await readOption('tls-private-key-file', tlsPrivateKeyFile),
  };
  try {
    const certificate = new X509Certificate(pair.certificate);
    if (certificate.checkPrivateKey(createPrivateKey(pair.key))) return pair;
  } catch (error) {
    throw new OptionError(`--tls-cert-file, --tls-private-key-file: ${(error as Error).message}`);
  }
  throw new OptionError('--tls-cert-file, --tls-private-key-file: the key is not the certificate’s');
}

async function readAuthorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const pem = await readOption('client-ca-file', path);
  try {
    new X509Certificate(pem);
  } catch {
    throw new OptionError(`--client-ca-file: no certificate in ${path}`);
  }
  return pem;
}

async function readOption(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OptionError(`--${flag}: ${(error as Error).message}`);
  }
}
