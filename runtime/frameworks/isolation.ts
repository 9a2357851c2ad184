import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import { startServer } from '../server/server.ts';
import { sharedServer } from './shared-servers.ts';

/** The isolation between the tests of one file. Each call resolves with the server to use from then on. */
export interface Isolation {
  /** Called before the hooks and tests of the file. */
  begin(): Promise<RunningServer>;
  beforeEach(): Promise<RunningServer>;
  end(): Promise<void>;
}

/** Restores the objects before each test to those before the first one. The files of a worker share servers. */
export class ResetIsolation implements Isolation {
  readonly #options: ServerOptions;
  #server: RunningServer | undefined;
  #first: ReturnType<RunningServer['snapshot']> | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async begin(): Promise<RunningServer> {
    this.#server = await sharedServer(this.#options);
    await this.#server.reset();
    return this.#server;
  }

  async beforeEach(): Promise<RunningServer> {
    const server = this.#server as RunningServer;
    if (this.#first === undefined) this.#first = server.snapshot();
    else await server.restore(this.#first);
    return server;
  }

  async end(): Promise<void> {
    this.#first = undefined;
  }
}

/** Gives each test its own server, a fork of the file's server, which is a fork of the shared one. */
export class ForkIsolation implements Isolation {
  readonly #options: ServerOptions;
  #file: RunningServer | undefined;
  #test: RunningServer | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async begin(): Promise<RunningServer> {
    this.#file = await forkOf(await sharedServer(this.#options));
    return this.#file;
  }

  async beforeEach(): Promise<RunningServer> {
    const last = this.#test;
    this.#test = await forkOf(this.#file as RunningServer);
    await last?.close();
    return this.#test;
  }

  async end(): Promise<void> {
    await this.#test?.close();
    await this.#file?.close();
  }
}

async function forkOf(server: RunningServer): Promise<RunningServer> {
  const fork = await server.fork();
  fork.unref();
  return fork;
}

/** Gives the file its own server. The tests of the file share its objects. */
export class NoIsolation implements Isolation {
  readonly #options: ServerOptions;
  #server: RunningServer | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async begin(): Promise<RunningServer> {
    this.#server = await startServer(this.#options);
    return this.#server;
  }

  async beforeEach(): Promise<RunningServer> {
    return this.#server as RunningServer;
  }

  async end(): Promise<void> {
    await this.#server?.close();
  }
}
