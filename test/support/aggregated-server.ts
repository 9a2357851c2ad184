import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { RunningServer } from '../../runtime/index.ts';
import { issueCertificate, type KeyPair } from '../../runtime/serving/x509-certificate.ts';
import type { HttpClient } from './http-client.ts';
import type { TestObject } from './test-object.ts';
import { WatchStream } from './watch-stream.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const day = 24 * 3600 * 1000;

/** The aggregating server, and a client of its administrator. */
interface Place {
  readonly http: HttpClient;
  readonly server: RunningServer;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The server of an aggregated API, on 127.0.0.1, with a certificate for the service `default/api`. */
export class AggregatedServer {
  /** The authority of the server's certificate and of front proxies' certificates. */
  readonly authority: KeyPair;
  /** The requests in order, without the aggregator's own. */
  readonly requests: { readonly request: IncomingMessage; readonly body: string; readonly proxy?: string }[] = [];
  /** Responds to requests outside `discovery`. Default: 404. */
  answer: Answer = (_request, response) => response.writeHead(404).end();
  /** If set, responds before the body arrives. */
  early: Answer | undefined;
  /** Responds to the aggregator's own requests. Default: 404. */
  answerOwn: Answer = (_request, response) => response.writeHead(404).end();
  upgrade: Upgrade = (_request, socket) => socket.destroy();
  /** JSON by path, for any client. */
  readonly discovery = new Map<string, object>();
  /** Paths without a response. */
  readonly hangs = new Set<string>();
  /** If set, called in place of a response to users' discovery requests. */
  onUser: (() => void) | undefined;
  readonly #server: Server;

  private constructor(server: Server, authority: KeyPair) {
    this.#server = server;
    this.authority = authority;
  }

  static async open(names: readonly string[] = ['api.default.svc']): Promise<AggregatedServer> {
    const validity = { from: Date.now() - 60_000, until: Date.now() + day };
    const authority = issueCertificate({ commonName: 'aggregated-ca', use: 'ca', ...validity });
    const serving = issueCertificate({ commonName: 'api', names, use: 'server', ...validity }, authority);
    const server = createServer({
      cert: serving.certificate,
      key: serving.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const opened = new AggregatedServer(server, authority);
    server.on('request', (request, response) => opened.#handle(request, response));
    server.on('upgrade', (request, socket, head) => opened.upgrade(request, socket, head));
    return opened;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Adds discovery of a version with one resource, namespaced `flunders`. */
  serveDiscovery(group: string, version = 'v1'): void {
    const resource = {
      name: 'flunders',
      singularName: 'flunder',
      namespaced: true,
      kind: 'Flunder',
      verbs: ['get', 'list', 'watch', 'create', 'delete'],
    };
    this.discovery.set(`/apis/${group}/${version}`, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${group}/${version}`,
      resources: [resource],
    });
  }

  /** Returns a client certificate of a front proxy. */
  clientPair(commonName: string): KeyPair {
    const validity = { from: Date.now() - 60_000, until: Date.now() + day };
    return issueCertificate({ commonName, use: 'client', ...validity }, this.authority);
  }

  /** Registers a version through a service for 127.0.0.1, and waits until it is available. */
  async register({ http, server }: Place, group: string, spec: object = {}, version = 'v1'): Promise<TestObject> {
    await this.createService(http);
    const created = await http.send('POST', apiServices, JSON.stringify(this.apiService(group, spec, version)), 'application/json');
    if (created.status !== 201) throw new Error(created.body.toString());
    return awaitCondition(server, `${version}.${group}`, 'True');
  }

  async createService(http: HttpClient): Promise<void> {
    const service = { metadata: { name: 'api' }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } };
    await http.send('POST', '/api/v1/namespaces/default/services', JSON.stringify(service), 'application/json');
  }

  apiService(group: string, spec: object = {}, version = 'v1'): object {
    return {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 2000,
        versionPriority: 200,
        service: { namespace: 'default', name: 'api', port: this.port },
        caBundle: Buffer.from(this.authority.certificate).toString('base64'),
        ...spec,
      },
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const [path] = (request.url ?? '').split('?');
    if (this.hangs.has(path)) return;
    if (this.onUser !== undefined && !isOwn(request)) {
      this.onUser();
      return;
    }
    const document = this.discovery.get(path);
    if (document !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      return;
    }
    if (this.early !== undefined) {
      this.early(request, response);
      return;
    }
    const socket = request.socket as TLSSocket;
    const proxy = socket.authorized ? (socket.getPeerCertificate().subject?.CN as string) : undefined;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (isOwn(request)) {
        this.answerOwn(request, response);
        return;
      }
      this.requests.push({ request, body: Buffer.concat(parts).toString(), ...(proxy ? { proxy } : {}) });
      this.answer(request, response);
    });
  }
}

/** Reports whether the request is the aggregator's own. */
function isOwn({ headers }: IncomingMessage): boolean {
  return ['system:kube-aggregator', 'system:aggregator'].includes(String(headers['x-remote-user']));
}

/** Resolves with the APIService when its Available condition has the status and, if given, the reason. */
export async function awaitCondition(server: RunningServer, name: string, status: string, reason?: string): Promise<TestObject> {
  const watch = await WatchStream.open(server, `${apiServices}?watch=true&fieldSelector=metadata.name=${name}`);
  try {
    for (;;) {
      const event = await watch.next();
      if (event === undefined) throw new Error('the watch has ended');
      const condition = event.object.status?.conditions?.find(({ type }: TestObject) => type === 'Available');
      if (condition?.status === status && (reason === undefined || condition.reason === reason)) return event.object;
    }
  } finally {
    watch.close();
  }
}
