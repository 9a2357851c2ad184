import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** What /version says of a stand-in. An etcd says its own version. */
const standInVersion = { etcdserver: '3.6.0+kubeloom', etcdcluster: '3.6.0' };

/** Answers of etcd 3.6 to those who ask for its health. (etcd server/etcdserver/api/etcdhttp) */
const answers: Readonly<Record<string, string>> = {
  '/health': '{"health":"true","reason":""}',
  '/livez': 'ok\n',
  '/readyz': 'ok\n',
  '/version': JSON.stringify(standInVersion),
};

/**
 * Stands where envtest expects an etcd: it is healthy, and keeps nothing. The API server that finds it at `--etcd-servers`
 * keeps its objects in its own memory.
 */
export class EtcdStandIn {
  readonly #servers: readonly Server[];

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  /** @param urls what clients shall find it at, as `http://127.0.0.1:2379` */
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

/** Whether there is a stand-in at the URL of an etcd. False if nothing answers within two seconds. */
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

/** A host of a URL as sockets take it: IPv6 addresses without brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const body = answers[url.replace(/\?.*/s, '')];
  if (body !== undefined) response.setHeader('Content-Type', body.startsWith('{') ? 'application/json' : 'text/plain');
  response.statusCode = body === undefined ? 404 : 200;
  response.end(body ?? '404 page not found\n');
}
