import { readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { Random } from '../../support/random.ts';

/** The results of a run, as lines. */
export interface Traces {
  /** All objects as the server sends them. */
  readonly dump: readonly string[];
  readonly audit: readonly string[];
  readonly watch: readonly string[];
  /** The status and the body of each response. */
  readonly responses: readonly string[];
}

const steps = 200;
const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: RequestResponse }]\n';

/** Runs 200 random steps of a seed on a server with the same seed and simulated nodes. @param folder an empty folder */
export async function runScenario(seed: number, folder: string): Promise<Traces> {
  const [auditPolicyFile, auditLogPath] = [join(folder, 'policy.yaml'), join(folder, 'audit.log')];
  await writeFile(auditPolicyFile, policy);
  const server = await startServer({ seed, simulate: { nodes: 2 }, auditPolicyFile, auditLogPath });
  const http = HttpClient.for(server);
  const watch = rawWatch(server, '/api/v1/pods?watch=1');
  const scenario = new Scenario(new Random(seed), http, server);
  try {
    for (let step = 0; step < steps; step++) await scenario.step();
    const dump = await dumpOf(http);
    http.close();
    await server.close();
    const audit = (await readFile(auditLogPath, 'utf8')).split('\n');
    return { dump, audit, watch: (await watch).split('\n'), responses: scenario.responses };
  } finally {
    http.close();
    await server.close();
  }
}

class Scenario {
  readonly responses: string[] = [];
  readonly #random: Random;
  readonly #http: HttpClient;
  readonly #server: RunningServer;

  constructor(random: Random, http: HttpClient, server: RunningServer) {
    this.#random = random;
    this.#http = http;
    this.#server = server;
  }

  async step(): Promise<void> {
    const random = this.#random;
    const name = `n${random.between(0, 5)}`;
    const labels = { app: name };
    const pod = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const apps = '/apis/apps/v1/namespaces/default/deployments';
    const core = '/api/v1/namespaces/default';
    const [replicas, value] = [random.between(0, 4), random.between(0, 1e6)];
    await random.pick<() => Promise<void>>([
      () =>
        this.#send('POST', `${core}/configmaps`, {
          metadata: { generateName: `${name}-` },
          data: { a: String(value) },
        }),
      () => this.#send('POST', `${core}/pods`, { ...pod, metadata: { generateName: `${name}-`, labels } }),
      () =>
        this.#send('POST', `${core}/services`, {
          metadata: { name },
          spec: { type: 'NodePort', selector: labels, ports: [{ port: 80 }] },
        }),
      () =>
        this.#send('POST', apps, {
          metadata: { name },
          spec: { replicas, selector: { matchLabels: labels }, template: pod },
        }),
      () => this.#send('PATCH', `${apps}/${name}`, { spec: { replicas } }, 'application/merge-patch+json'),
      () =>
        this.#send(
          'PATCH',
          `${core}/secrets/${name}?fieldManager=m&force=true`,
          { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { a: String(value) } },
          'application/apply-patch+yaml',
        ),
      () => this.#send('POST', `${core}/serviceaccounts/default/token`, { spec: {} }),
      () => this.#send('DELETE', `${random.pick([apps, `${core}/services`, `${core}/secrets`])}/${name}`),
      () => this.#send('DELETE', `${core}/pods?labelSelector=app=${name}`),
      () => this.#server.clock.advance(random.pick(['100ms', '1s', '30s', '2m'])),
    ])();
  }

  async #send(method: string, path: string, body?: object, contentType = 'application/json'): Promise<void> {
    const { status, body: bytes } = await this.#http.send(method, path, body && JSON.stringify(body), contentType);
    this.responses.push(`${method} ${path} ${status} ${bytes}`);
  }
}

async function dumpOf(http: HttpClient): Promise<string[]> {
  const bodies: string[] = [];
  const { groups } = (await http.get('/apis')).json;
  const versions = groups.map(({ preferredVersion }: { preferredVersion: { groupVersion: string } }) => preferredVersion);
  for (const at of ['/api/v1', ...versions.map(({ groupVersion }: { groupVersion: string }) => `/apis/${groupVersion}`)]) {
    for (const { name, verbs } of (await http.get(at)).json.resources) {
      if (verbs.includes('list')) bodies.push(String((await http.get(`${at}/${name}`)).body));
    }
  }
  return bodies.flatMap((body) => body.replaceAll('{"metadata":', '\n{"metadata":').split('\n'));
}

/** Returns the bytes of a watch up to its end by the server. */
function rawWatch({ url, caCertificate: ca, clientCertificate: cert, clientKey: key }: RunningServer, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}${path}`, { ca, cert, key, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts).toString()));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
