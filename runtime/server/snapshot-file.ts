import type { ClientOptions } from '../client/options.ts';
import { RestClient } from '../client/rest-client.ts';
import type { KubeObject } from '../machinery/object.ts';
import { listObjects } from '../testkit/snapshot-file/list-objects.ts';
import { type SnapshotFileOptions, snapshotText } from '../testkit/snapshot-file/snapshot-text.ts';
import type { ServerOptions } from './options.ts';
import type { SecureServing } from './secure-serving.ts';

/** What is known of a server's administrator. */
export type Administered = Pick<SecureServing, 'url' | 'caCertificate' | 'admin'>;

/** A RunningServer, as far as it matters here. */
interface FreshServer extends Omit<Administered, 'admin'> {
  readonly clientCertificate: string;
  readonly clientKey: string;
  close(): Promise<void>;
}

export type Start = (options: ServerOptions) => Promise<FreshServer>;

/**
 * The text of a file with all objects of a server; see snapshotText.
 *
 * @param start startServer, for a server that shows what every server has
 * @param options those of the server, as far as they are known
 */
export async function snapshotFile(
  client: ClientOptions,
  options: SnapshotFileOptions | undefined,
  start: Start,
  { kubernetes, builtin, groups, runtimeConfig, featureGates, controllers }: ServerOptions,
): Promise<string> {
  const fresh = { kubernetes, builtin, groups, runtimeConfig, featureGates, controllers, leaderElect: false };
  return withClient(client, (rest) => snapshotText(rest, () => objectsOfServer(start, fresh), options));
}

/** The objects of a server that starts for that, and stops. */
async function objectsOfServer(start: Start, options: ServerOptions): Promise<KubeObject[]> {
  const server = await start(options);
  try {
    const admin = { certificate: server.clientCertificate, key: server.clientKey };
    return await withClient(administratorOf({ ...server, admin }), listObjects);
  } finally {
    await server.close();
  }
}

export const administratorOf = ({ url, caCertificate, admin }: Administered): ClientOptions => ({
  ...{ server: url, ca: caCertificate, cert: admin.certificate, key: admin.key },
});

async function withClient<T>(options: ClientOptions, use: (client: RestClient) => Promise<T>): Promise<T> {
  const client = new RestClient({ userAgent: 'kubeloom', ...options });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
