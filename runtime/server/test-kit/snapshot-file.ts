import type { ClientOptions } from '../../client/options.ts';
import { RestClient } from '../../client/rest-client.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { listObjects } from '../../testkit/snapshot-file/list-objects.ts';
import { type SnapshotFileOptions, snapshotText } from '../../testkit/snapshot-file/snapshot-text.ts';

/** The part of RunningServer that snapshots need. */
interface FreshServer {
  readonly url: string;
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  close(): Promise<void>;
}

/** The type of startServer. */
export type Start = (options: ServerOptions) => Promise<FreshServer>;

/** Returns the text of a file with all objects of a server; see snapshotText. */
export function snapshotFile(
  client: ClientOptions,
  fresh: () => Promise<readonly KubeObject[]>,
  options?: SnapshotFileOptions,
): Promise<string> {
  return withClient(client, (rest) => snapshotText(rest, fresh, options));
}

/** Starts a server with the same groups and features, and returns its objects. */
export async function freshObjects(
  start: Start,
  { kubernetes, builtin, groups, runtimeConfig, featureGates, controllers }: ServerOptions,
): Promise<readonly KubeObject[]> {
  const same = { kubernetes, builtin, groups, runtimeConfig, featureGates, controllers };
  const server = await start({ ...same, leaderElect: false });
  try {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    return await withClient({ server: url, ca, cert, key }, listObjects);
  } finally {
    await server.close();
  }
}

async function withClient<T>(options: ClientOptions, use: (client: RestClient) => Promise<T>): Promise<T> {
  const client = new RestClient({ userAgent: 'kubeloom', ...options });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
