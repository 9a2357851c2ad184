import { readFile } from 'node:fs/promises';
import type { SecureClientSessionOptions } from 'node:http2';

/** Files in PEM. (apiserver storagebackend.TransportConfig) */
export interface TransportFiles {
  /** The certificates that servers are trusted by. Default: those of the system. */
  readonly cafile?: string | undefined;
  /** The certificate by which the servers know this client, and its key. Default: none. */
  readonly certfile?: string | undefined;
  readonly keyfile?: string | undefined;
}

/** What a URL of --etcd-servers says. */
export interface Endpoint {
  readonly url: string;
  readonly isSecure: boolean;
  /** `host:port`, or the path of a Unix socket. */
  readonly address: string;
  readonly socketPath: string | undefined;
}

/**
 * Parses `http://host:port`, `https://host:port`, `unix:///path` or `host:port`.
 *
 * @throws TypeError for anything else
 */
export function parseEndpoint(text: string): Endpoint {
  if (text.startsWith('unix://')) {
    const path = text.slice('unix://'.length);
    return { url: text, isSecure: false, address: path, socketPath: path };
  }
  const withScheme = text.includes('://') ? text : `http://${text}`;
  if (!/^https?:/.test(withScheme) || !URL.canParse(withScheme)) {
    throw new TypeError(`unsupported URL ${JSON.stringify(text)}`);
  }
  const url = new URL(withScheme);
  const isSecure = url.protocol === 'https:';
  const port = url.port || (isSecure ? '443' : '80');
  return { url: text, isSecure, address: `${url.hostname}:${port}`, socketPath: undefined };
}

/**
 * The TLS options of a new connection. All files are read each time, so that renewed certificates are used from the next
 * connection on. (etcd transport.TLSInfo)
 */
export async function readTransportFiles(files: TransportFiles): Promise<SecureClientSessionOptions> {
  const read = (path: string | undefined) => (path === undefined ? undefined : readFile(path));
  const [ca, cert, key] = await Promise.all([read(files.cafile), read(files.certfile), read(files.keyfile)]);
  return { ca, cert, key };
}
