import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, type ServerOptions, startServer } from '../../runtime/index.ts';
import { type Clock, systemClock } from '../../runtime/machinery/clock.ts';
import { type CertificateRequest, issueCertificate, type KeyPair } from '../../runtime/serving/x509-certificate.ts';
import { HttpClient, type HttpResponse } from './http-client.ts';
import { libraryGroup } from './library-group.ts';

const aDay = 24 * 3600 * 1000;
const authenticationConfigMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

/** Returns a certificate authority, or a certificate of one, that is valid today. */
export function todaysCertificate(request: Omit<CertificateRequest, 'from' | 'until'>, issuer?: KeyPair): KeyPair {
  const from = Date.now() - aDay;
  return issueCertificate({ ...request, from, until: from + 3 * aDay }, issuer);
}

/** The system's clock with an adjustable offset. */
export class ShiftedClock implements Clock {
  #shift = 0;
  now(): number {
    return Date.now() + this.#shift;
  }
  after(ms: number, callback: () => void): () => void {
    return systemClock.after(ms, callback);
  }
  putForward(ms: number): void {
    this.#shift += ms;
  }
}

/** The service account of an aggregated server, with its permissions. */
const objectsOfTheServer: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'books' } }],
  ['/api/v1/namespaces/books/serviceaccounts', { metadata: { name: 'library' } }],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: { name: 'aggregated-apiserver' },
      rules: [
        { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['flowcontrol.apiserver.k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
      ],
    },
  ],
  ...(
    [
      ['clusterrolebindings', 'ClusterRole', 'system:auth-delegator', 'library:auth-delegator'],
      ['clusterrolebindings', 'ClusterRole', 'aggregated-apiserver', 'library'],
      ['namespaces/kube-system/rolebindings', 'Role', 'extension-apiserver-authentication-reader', 'library'],
    ] as const
  ).map(([resource, kind, role, name]): [string, object] => [
    `/apis/rbac.authorization.k8s.io/v1/${resource}`,
    {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
      subjects: [{ kind: 'ServiceAccount', name: 'library', namespace: 'books' }],
    },
  ]),
];

/** A server of the example group that delegates authentication and authorization to a second server. */
export class AggregatedServer {
  readonly clock = new ShiftedClock();
  readonly proxyCA = todaysCertificate({ commonName: 'front-proxy-ca', use: 'ca' });
  readonly #folder: string;
  readonly #clients: HttpClient[] = [];
  delegate!: RunningServer;
  /** A client with the delegate's administrator. */
  admin!: HttpClient;
  server!: RunningServer;
  /** The kubeconfig of this delegate, for options of servers. */
  kubeconfig = '';

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(delegateOptions: ServerOptions = {}, options: ServerOptions = {}): Promise<AggregatedServer> {
    const pair = new AggregatedServer(await mkdtemp(join(tmpdir(), 'aggregated-')));
    try {
      pair.delegate = await startServer(delegateOptions);
      pair.admin = pair.client(HttpClient.for(pair.delegate));
      for (const [path, object] of objectsOfTheServer) await pair.create(path, object);
      await pair.publish({});
      await pair.#writeKubeconfig();
      pair.server = await pair.startAnother({ clock: pair.clock, ...options });
      await pair.#knowsDelegate();
    } catch (error) {
      await pair.close();
      throw error;
    }
    return pair;
  }

  /** Starts a server of the example group with this delegate. The caller closes it. */
  async startAnother(options: ServerOptions = {}): Promise<RunningServer> {
    const { kubeconfig } = this;
    const delegating = { authenticationKubeconfig: kubeconfig, authorizationKubeconfig: kubeconfig, kubeconfig };
    return startServer({ ...delegating, groups: [await libraryGroup()], ...options });
  }

  /** Publishes CAs and names for aggregated servers. Default: those of the proxy; `data` overrides them. */
  async publish(data: Readonly<Record<string, string>>): Promise<void> {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'extension-apiserver-authentication' },
      data: {
        'requestheader-client-ca-file': this.proxyCA.certificate,
        'requestheader-username-headers': '["X-Remote-User"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
        'requestheader-allowed-names': '["front-proxy"]',
        ...data,
      },
    };
    const path = `${authenticationConfigMap}?fieldManager=test&force=true`;
    const { status, body } = await this.admin.send('PATCH', path, JSON.stringify(object), 'application/apply-patch+yaml');
    if (status > 201) throw new Error(`the ConfigMap cannot be written: ${body}`);
  }

  /** Creates an object on the delegate. */
  async create(path: string, object: object): Promise<HttpResponse> {
    const response = await this.admin.send('POST', path, JSON.stringify(object), 'application/json');
    if (response.status !== 201) throw new Error(`${path} cannot be written: ${response.body}`);
    return response;
  }

  /**
   * Returns a client of the aggregated server with a certificate, for example a front proxy's. It is closed with the
   * servers.
   */
  as(commonName: string, issuer: KeyPair = this.proxyCA, server = this.server): HttpClient {
    const { certificate, key } = todaysCertificate({ commonName, use: 'client' }, issuer);
    const { url, caCertificate } = server;
    return this.client(HttpClient.for({ url, caCertificate, clientCertificate: certificate, clientKey: key }));
  }

  /** Registers a client to be closed with the servers. */
  client(client: HttpClient): HttpClient {
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.server?.close();
    await this.delegate?.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Resolves when the server has the delegate's objects. */
  async #knowsDelegate(): Promise<void> {
    const http = this.client(HttpClient.withoutCertificate(this.server));
    await eventually(async () => (await http.get('/readyz')).status === 200);
  }

  async #writeKubeconfig(): Promise<void> {
    const path = '/api/v1/namespaces/books/serviceaccounts/library/token';
    const { json } = await this.create(path, { spec: {} });
    const authority = Buffer.from(this.delegate.caCertificate).toString('base64');
    const cluster = { server: this.delegate.url, 'certificate-authority-data': authority };
    this.kubeconfig = join(this.#folder, 'kubeconfig');
    await writeFile(
      this.kubeconfig,
      JSON.stringify({
        'current-context': 'delegate',
        contexts: [{ name: 'delegate', context: { cluster: 'delegate', user: 'library' } }],
        clusters: [{ name: 'delegate', cluster }],
        users: [{ name: 'library', user: { token: json.status.token } }],
      }),
    );
  }
}

/** Waits for the effect of a watch or a controller. @throws Error after some seconds */
export async function eventually(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isTrue()); attempt++) {
    if (attempt === 250) throw new Error('it never became true');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
