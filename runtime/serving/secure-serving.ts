import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { ApiMiddleware } from '../http/context.ts';
import type { ServerCertificates } from './certificates.ts';
import type { RequestListener } from './connections.ts';
import type { HandlerChain } from './handler-chain.ts';
import { formatKubeconfig } from './kubeconfig.ts';
import type { Listener } from './listen.ts';
import type { SigningAuthority } from './signing-authority.ts';
import type { KeyPair } from './x509-certificate.ts';

/** An open port, and the credentials to use it. */
export interface SecureServing extends Pick<HandlerChain, 'addFilter'> {
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
  /** Reads the files of the serving certificates again. Resolves when changes are in force. */
  refreshCertificates(): Promise<void>;
}

/** The page of a server, as far as requests meet it. */
export interface ServedPage {
  /** Authenticates the requests that the page passes on. */
  readonly authenticator: Authenticator;
  /** Runs behind impersonation. */
  readonly filter: ApiMiddleware;
  /** Returns a filter behind authentication that logs requests. @param before a filter that runs before */
  recording(before: ApiMiddleware | undefined): ApiMiddleware;
  /** Adds the endpoints of the page to others. */
  endpoint(next: ApiMiddleware): ApiMiddleware;
  /** Returns the handler of all requests. */
  serve(server: RequestListener): RequestListener;
  /** Called when the port is open. @param place its URL, and the PEM of the certificates that are served now */
  listening(place: { readonly url: string; certificates(): readonly string[] }): void;
}

interface ServingParts extends Pick<SecureServing, 'addFilter' | 'certificates' | 'signer' | 'connect'> {
  /** Replaces the server's own certificate. */
  readonly configured?: KeyPair | undefined;
  refresh(): Promise<void>;
}

/** Returns the port with its URL and its kubeconfig. @param bindAddress the address that the server listens on */
export function secureServing(listener: Listener, bindAddress: string, parts: ServingParts): SecureServing {
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
