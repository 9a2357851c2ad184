import { setTimeout } from 'node:timers/promises';
import { mainThreadRan, processorTime } from '../processor.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const nodes = 1000;
const group = '/apis/apps/v1/namespaces';

interface DeploymentList {
  readonly items: readonly {
    readonly metadata: { readonly generation: number };
    readonly status: Readonly<Record<string, number | undefined>>;
  }[];
}

/** The numbers of deployments and of pods each, in a separate namespace. */
interface Size {
  readonly namespace: string;
  readonly deployments: number;
  readonly replicas: number;
}

/**
 * Measures deployments in a simulated cluster, from the first request until the last pod is ready, is new, or is gone.
 */
export async function workloads(report: Report): Promise<void> {
  const server = await startKubeloom(['--storage=memory', '--simulate', `--simulate-nodes=${nodes}`]);
  try {
    const [connection] = await server.open(1);
    const cluster = new BenchedCluster(server, connection);
    const small = { namespace: 'small', deployments: 100, replicas: 10 };
    report.row('100 deployments of 10 pods, ready', await cluster.timed(() => cluster.create(small)), '', '');
    const many = { namespace: 'many', deployments: 1000, replicas: 2 };
    await cluster.create(many);
    report.row('1,000 deployments of 2 pods, rolled', await cluster.timed(() => cluster.roll(many)), '', '60 s');
    const large = { namespace: 'large', deployments: 200, replicas: 100 };
    report.row('20,000 pods of 200 deployments, Running', await cluster.timed(() => cluster.create(large)), '', '60 s');
    report.row('resident memory with 23,000 pods', `${server.rss().toFixed(0)} MiB`, '', '');
    report.row('20,000 pods of 200 deployments, deleted', await cluster.timed(() => cluster.delete(large)), '', '');
    connection.close();
  } finally {
    await server.close();
  }
}

class BenchedCluster {
  readonly #server: Target;
  readonly #connection: RawConnection;

  constructor(server: Target, connection: RawConnection) {
    this.#server = server;
    this.#connection = connection;
  }

  /** Returns the time and the processor time of a piece of work. */
  async timed(work: () => Promise<void>): Promise<string> {
    const { pid } = this.#server;
    const [before, main, started] = [processorTime(pid).ran, mainThreadRan(pid), performance.now()];
    await work();
    const seconds = (ms: number): string => (ms / 1000).toFixed(1);
    const ran = `${seconds(processorTime(pid).ran - before)} s of processor time, ${seconds(mainThreadRan(pid) - main)} s of it on the event loop`;
    return `${seconds(performance.now() - started)} s (${ran})`;
  }

  async create({ namespace, deployments, replicas }: Size): Promise<void> {
    await this.#send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const path = `${group}/${namespace}/deployments`;
    for (let index = 0; index < deployments; index++) await this.#send('POST', path, deployment(`d${index}`, replicas));
    await this.#until(namespace, ({ items }) => items.every(({ status }) => status.readyReplicas === replicas));
  }

  async roll({ namespace, deployments, replicas }: Size): Promise<void> {
    const patch = { spec: { template: { metadata: { annotations: { version: '2' } } } } };
    for (let index = 0; index < deployments; index++) {
      await this.#send('PATCH', `${group}/${namespace}/deployments/d${index}`, patch);
    }
    await this.#until(namespace, ({ items }) =>
      items.every(({ metadata, status }) => {
        const { observedGeneration, updatedReplicas, readyReplicas, replicas: all } = status;
        const counts = [updatedReplicas, readyReplicas, all];
        return observedGeneration === metadata.generation && counts.every((count) => count === replicas);
      }),
    );
  }

  async delete({ namespace }: Size): Promise<void> {
    await this.#send('DELETE', `${group}/${namespace}/deployments`, {});
    const path = `/api/v1/namespaces/${namespace}/pods?limit=1`;
    while (((await this.#send('GET', path)) as unknown as DeploymentList).items.length > 0) await setTimeout(200);
  }

  async #until(namespace: string, holds: (list: DeploymentList) => boolean): Promise<void> {
    const path = `${group}/${namespace}/deployments`;
    while (!holds((await this.#send('GET', path)) as unknown as DeploymentList)) await setTimeout(500);
  }

  async #send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    const request = RawConnection.request(method, path, body && JSON.stringify(body), headers);
    const { status, body: answer } = await this.#connection.send(request, true);
    if (status > 201) throw new Error(`${method} ${path} returned ${status}: ${answer}`);
    return JSON.parse(String(answer));
  }
}

function deployment(name: string, replicas: number): object {
  const labels = { app: name };
  const resources = { requests: { cpu: '100m', memory: '64Mi' } };
  const spec = { containers: [{ name: 'web', image: 'nginx:1', ports: [{ containerPort: 80 }], resources }] };
  const template = { metadata: { labels }, spec };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}
