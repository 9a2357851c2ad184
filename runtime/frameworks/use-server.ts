import type { Client } from '../../generated/v1.35/client.ts';
import { requireOptions } from '../machinery/options/check-options.ts';
import { object, oneOf } from '../machinery/options/option-type.ts';
import { serverMembers } from '../options/server-members.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import type { RequestFilter } from '../testkit/requests/request-filter.ts';
import type { RequestRecord } from '../testkit/requests/request-record.ts';
import type { Hooks } from './hooks.ts';
import { ForkIsolation, type Isolation, NoIsolation, ResetIsolation } from './isolation.ts';

/** The options of a server, and the isolation of a file's tests. `testControls` defaults to true. */
export interface UseServerOptions extends ServerOptions {
  /**
   * The isolation between the tests of a file. Default: `reset`.
   *
   * `reset`: the files of a worker share a server. Each test begins with the objects that the file's `beforeAll` hooks
   * made. Objects of other tests, and of hooks inside `describe`, are gone.
   *
   * `fork`: as `reset`, but each test has its own server, a fork, so no program that a test started can reach the next
   * test.
   *
   * `none`: the file has its own server, and its tests share all objects. For stores that cannot be reset.
   */
  readonly isolation?: Isolations;
}

type Isolations = 'reset' | 'fork' | 'none';

export const useServerOptions = object<UseServerOptions>({
  ...serverMembers,
  isolation: oneOf('reset', 'fork', 'none'),
});

/** The server of the current test. With `isolation: 'fork'`, each test has another server. */
export interface Cluster {
  readonly server: RunningServer;
  /** The text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The administrator's typed client of v1.35. */
  readonly client: Client;
  /** Returns the records of RunningServer.requests since the test began. */
  requests(filter?: RequestFilter): RequestRecord[];
}

/** The time limit of hooks in milliseconds. The first hook loads the code of a server. */
const hookTimeout = 60_000;

const isolations: Readonly<Record<Isolations, new (options: ServerOptions) => Isolation>> = {
  reset: ResetIsolation,
  fork: ForkIsolation,
  none: NoIsolation,
};

/**
 * Gives the tests of a file a server. Call it at the top of the file or inside `describe`, where hooks can be
 * registered.
 */
export function useServer(hooks: Hooks, all: UseServerOptions = {}): Cluster {
  requireOptions(useServerOptions, all);
  const { isolation = 'reset', ...given } = all;
  const kind = isolations[isolation];
  const options = { testControls: true, ...given };
  const cluster = new TestCluster(new kind(options), (options.requestLog ?? (options.testControls ? 1 : 0)) > 0);
  hooks.beforeAll(() => cluster.begin(), hookTimeout);
  hooks.beforeEach(() => cluster.beforeEach(), hookTimeout);
  hooks.afterAll(() => cluster.end(), hookTimeout);
  return cluster;
}

class TestCluster implements Cluster {
  readonly #isolation: Isolation;
  readonly #records: boolean;
  #server: RunningServer | undefined;
  #client: Client | undefined;
  /** The newest request when the test began. */
  #since = 0;

  /** @param records whether requests are recorded */
  constructor(isolation: Isolation, records: boolean) {
    this.#isolation = isolation;
    this.#records = records;
  }

  async begin(): Promise<void> {
    await this.#use(await this.#isolation.begin());
  }

  async beforeEach(): Promise<void> {
    await this.#use(await this.#isolation.beforeEach());
  }

  end(): Promise<void> {
    return this.#isolation.end();
  }

  get server(): RunningServer {
    return opened(this.#server);
  }

  get kubeconfig(): string {
    return this.server.kubeconfig;
  }

  get client(): Client {
    return opened(this.#client);
  }

  requests(filter: RequestFilter = {}): RequestRecord[] {
    const { since = 0 } = filter;
    // a wrong value is passed on, so that the server refuses it
    return this.server.requests({ ...filter, since: since >= 0 && since < this.#since ? this.#since : since });
  }

  async #use(server: RunningServer): Promise<void> {
    if (server !== this.#server) this.#client = await server.client();
    this.#server = server;
    this.#since = this.#records ? server.lastRequest() : 0;
  }
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server is there from the first beforeAll on');
  return value;
}
