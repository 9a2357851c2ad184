import { readFile } from 'node:fs/promises';
import type { SecureClientSessionOptions } from 'node:http2';

/** PEM files. (apiserver storagebackend.TransportConfig) */
export interface TransportFiles {
  /** The CAs of servers' certificates. Default: the system's. */
  readonly cafile?: string | undefined;
  /** The client certificate and its key. Default: none. */
  readonly certfile?: string | undefined;
  readonly keyfile?: string | undefined;
}

/** A parsed URL of --etcd-servers. */
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
 * @throws TypeError for other text
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
 * Returns the TLS options of a new connection. Reads all files each time, so that the next connection uses renewed
 * certificates. (etcd transport.TLSInfo)
 */
export async function readTransportFiles(files: TransportFiles): Promise<SecureClientSessionOptions> {
  const read = (path: string | undefined) => (path === undefined ? undefined : readFile(path));
  const [ca, cert, key] = await Promise.all([read(files.cafile), read(files.certfile), read(files.keyfile)]);
  return { ca, cert, key };
}
