import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer, ServerOptions } from '../../runtime/index.ts';
import type { KeyPair } from '../../runtime/serving/x509-certificate.ts';
import { FakeKubelet } from './fake-kubelet.ts';
import { HttpClient } from './http-client.ts';
import { PodNetwork } from './pod-network.ts';
import { startTestServer } from './test-server.ts';

/** A server with a kubelet, the nodes `node` (192.0.2.10) and others, and a pod. */
export class KubeletFixture {
  readonly kubelet: FakeKubelet;
  readonly server: RunningServer;
  readonly http: HttpClient;
  /** The network of the server's dials. */
  readonly network: PodNetwork;
  readonly #folder: string;

  private constructor(kubelet: FakeKubelet, network: PodNetwork, server: RunningServer, folder: string) {
    this.kubelet = kubelet;
    this.network = network;
    this.server = server;
    this.http = HttpClient.for(server);
    this.#folder = folder;
  }

  static async open(options: ServerOptions = {}): Promise<KubeletFixture> {
    const network = new PodNetwork();
    const kubelet = await FakeKubelet.open(['192.0.2.10']);
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-kubelet-'));
    await writeFile(join(folder, 'ca.crt'), kubelet.authority.certificate);
    await writePair(folder, kubelet.clientPair());
    const server = await startTestServer({
      kubeletCertificateAuthority: join(folder, 'ca.crt'),
      kubeletClientCertificate: join(folder, 'client.crt'),
      kubeletClientKey: join(folder, 'client.key'),
      dial: network.dial,
      ...options,
    });
    const fixture = new KubeletFixture(kubelet, network, server, folder);
    for (const last of [10, 11]) network.forward(`192.0.2.${last}:10250`, kubelet.port);
    await fixture.createNode('node', [{ type: 'InternalIP', address: '192.0.2.10' }]);
    await fixture.createPod('one', 'node');
    return fixture;
  }

  /** Replaces the files of the server's client certificate for kubelets. */
  async changeCertificate(pair: KeyPair): Promise<void> {
    await writePair(this.#folder, pair);
  }

  async createNode(name: string, addresses: readonly object[], port?: number): Promise<void> {
    const status = { addresses, ...(port && { daemonEndpoints: { kubeletEndpoint: { Port: port } } }) };
    await this.create('/api/v1/nodes', { metadata: { name }, status });
  }

  async createPod(
    name: string,
    nodeName: string,
    { containers = ['a'], podIP }: { containers?: readonly string[]; podIP?: string } = {},
  ): Promise<void> {
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { nodeName, containers: containers.map((one) => ({ name: one, image: 'i' })) };
    await this.create(pods, { metadata: { name }, spec });
    const status = { phase: 'Running', ...(podIP && { podIP, podIPs: [{ ip: podIP }] }) };
    const body = JSON.stringify({ status });
    await this.http.send('PATCH', `${pods}/${name}/status`, body, 'application/merge-patch+json');
  }

  async close(): Promise<void> {
    this.http.close();
    await this.server.close();
    await this.kubelet.close();
    await this.network.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async create(path: string, object: object): Promise<void> {
    const { status, body } = await this.http.send('POST', path, JSON.stringify(object), 'application/json');
    if (status !== 201) throw new Error(body.toString());
  }
}

async function writePair(folder: string, { certificate, key }: KeyPair): Promise<void> {
  await writeFile(join(folder, 'client.crt'), certificate);
  await writeFile(join(folder, 'client.key'), key, { mode: 0o600 });
}
