import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** The response of a stand-in to /version. A real etcd has another version. */
const standInVersion = { etcdserver: '3.6.0+kubeloom', etcdcluster: '3.6.0' };

/** etcd 3.6's responses to health checks. (etcd server/etcdserver/api/etcdhttp) */
const answers: Readonly<Record<string, string>> = {
  '/health': '{"health":"true","reason":""}',
  '/livez': 'ok\n',
  '/readyz': 'ok\n',
  '/version': JSON.stringify(standInVersion),
};

/**
 * A server in place of envtest's etcd. It is healthy and stores nothing. An API server that finds it at
 * `--etcd-servers` keeps its objects in memory.
 */
export class EtcdStandIn {
  readonly #servers: readonly Server[];

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  /** @param urls the addresses for clients: `http://127.0.0.1:2379` */
  static async listen(urls: readonly URL[]): Promise<EtcdStandIn> {
    const servers = urls.map((url) => createServer(answer).listen(Number(url.port), hostOf(url)));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    return new EtcdStandIn(servers);
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }
}

/** Reports whether a stand-in listens at the URL of an etcd. False without a response within two seconds. */
export async function isEtcdStandIn(url: string): Promise<boolean> {
  if (!url.startsWith('http://')) return false;
  return new Promise((resolve) => {
    const request = get(new URL('/version', url), { timeout: 2000, agent: false }, async (response) => {
      resolve((await text(response).catch(() => '')) === answers['/version']);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** Returns the host of a URL for sockets: IPv6 addresses without brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const body = answers[url.replace(/\?.*/s, '')];
  if (body !== undefined) response.setHeader('Content-Type', body.startsWith('{') ? 'application/json' : 'text/plain');
  response.statusCode = body === undefined ? 404 : 200;
  response.end(body ?? '404 page not found\n');
}
