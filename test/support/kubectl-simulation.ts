import { afterAll, beforeAll, describe } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { SimulationOptions } from '../../runtime/options/simulated-cluster.ts';
import { describeKubectl, Kubectl, type Result } from './kubectl.ts';
import type { TestObject } from './test-object.ts';

/** A kubectl or helm in one namespace. */
export class NamespaceUser {
  readonly namespace: string;
  #kubectl: Kubectl | undefined;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  use(kubectl: Kubectl): void {
    this.#kubectl = kubectl;
  }

  async close(): Promise<void> {
    await this.#kubectl?.close();
  }

  get kubectl(): Kubectl {
    if (this.#kubectl === undefined) throw new Error('kubectl is there from before the first test');
    return this.#kubectl;
  }

  /** Splits a command line without quotes, and appends arguments. */
  arguments(command: string, more: readonly string[] = []): string[] {
    const [verb, ...rest] = command.split(' ');
    return [verb, '--namespace', this.namespace, ...rest, ...more];
  }

  /** Runs a command line without quotes and with extra arguments. It must succeed. */
  ok(command: string, ...more: string[]): Promise<string> {
    return this.kubectl.ok(this.arguments(command, more));
  }

  /** Runs a command line that may fail. */
  run(command: string, more: readonly string[] = [], stdin = ''): Promise<Result> {
    return this.kubectl.run(this.arguments(command, more), { stdin });
  }

  /** Applies a YAML manifest. */
  async apply(manifest: string): Promise<void> {
    await this.kubectl.ok(this.arguments('apply --filename -'), { stdin: manifest });
  }

  /** Returns the JSON output of `get`. */
  async get(what: string): Promise<TestObject> {
    return JSON.parse(await this.ok(`get ${what} --output json`));
  }

  /** Requests the eviction of a pod once. `drain` would repeat it. */
  evict(name: string): Promise<Result> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    const path = `/api/v1/namespaces/${this.namespace}/pods/${name}/eviction`;
    return this.kubectl.run(['create', '--raw', path, '--filename', '-'], { stdin: JSON.stringify(eviction) });
  }

  /** Waits for the end of a rollout. */
  rolledOut(what: string): Promise<string> {
    return this.ok(`rollout status ${what} --timeout 30s`);
  }
}

/** Runs tests with each kubectl. All versions share a server with a simulated cluster, each in its own namespace. */
export function describeSimulation(
  title: string,
  {
    simulate,
    prepare = async () => undefined,
    tests,
  }: {
    simulate: SimulationOptions;
    /** Called once with the shared server. */
    prepare?: (server: RunningServer) => Promise<void>;
    tests: (user: NamespaceUser) => void;
  },
): void {
  describeKubectl(title, () => {
    let server: RunningServer;
    beforeAll(async () => {
      server = await startServer({ simulate });
      await prepare(server);
    });
    afterAll(() => server?.close());

    describe.each(['1.35', '1.32'] as const)('version %s', (version) => {
      const user = new NamespaceUser(`v${version.replace('.', '-')}`);
      beforeAll(async () => {
        user.use(await Kubectl.for(server.kubeconfig, version));
        await user.kubectl.ok(['create', 'namespace', user.namespace]);
      });
      afterAll(() => user.close());
      tests(user);
    });
  });
}
