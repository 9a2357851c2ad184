import type { Client } from '../../generated/v1.35/client.ts';
import type { ClientOptions } from '../client/options.ts';
import type { Logger } from '../machinery/logger.ts';
import type { ServerClock } from '../machinery/server-clock.ts';
import type { Assertions } from '../testkit/assertions.ts';
import type { Faults } from '../testkit/faults/faults.ts';
import type { RunningReplay } from '../testkit/recording/replay.ts';
import type { Snapshots } from '../testkit/snapshot/snapshots.ts';
import type { SnapshotFiles } from '../testkit/snapshot-file/snapshot-files.ts';
import type { ForkOptions } from './fork/fork-options.ts';

/** A ready server, until it is closed. */
export interface RunningServer extends SnapshotFiles, Assertions, Snapshots {
  /** For example `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly port: number;
  /** For example `v1.35.0+kubeloom.0.1.0`. */
  readonly version: string;
  /** Text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** PEM of the CA of the server's certificate, and of the administrator's certificate and key. */
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly logger: Logger;
  /** The server's clock. With `clock: 'manual'`, `advance` moves it. */
  readonly clock: ServerClock;
  /**
   * Returns a client for another release or other groups. `generated/<release>/client` exports its constructor
   * function.
   */
  client<C extends Closable>(createClient: (options: ClientOptions) => C): Promise<C>;
  /** Returns a typed client of v1.35 with the administrator's certificate. The server closes it when it closes. */
  client(): Promise<Client>;
  /** Present with the option `replay`. */
  readonly replay: RunningReplay | undefined;
  /** Present with the option `ui`, unless the server has no port. */
  readonly ui: RunningPage | undefined;
  /** The newest revision of the store. */
  revision(): number;
  /** Makes earlier revisions unreadable. Default: the newest revision. */
  compact(revision?: number): Promise<void>;
  /** Makes chosen requests fail. Requests pay for it only after the first plan. */
  readonly faults: Faults;
  /**
   * Starts another server with the objects of this one, shared until they change. The servers are independent, and may
   * close in any order. The fork has this server's options, except for files with one writer: it writes no audit log
   * and no kubeconfig.
   *
   * @throws OptionError if the store keeps no snapshots
   */
  fork(options?: ForkOptions): Promise<RunningServer>;
  /**
   * Requests from inside this process, as the administrator unless the request has credentials.
   *
   * @param path for example `/api/v1/pods?limit=1`
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Lets the process end while the server runs, as for Node's servers. The server is then not closed. */
  unref(): void;
  /**
   * Resolves with the reason when the server cannot go on: its data directory was moved, removed or taken by another
   * process. The server then closes itself without waiting for requests.
   */
  readonly failed: Promise<Error>;
  /**
   * Ends watches, lets running requests finish, then closes the port and the store. All calls return the same promise.
   */
  close(): Promise<void>;
}

/** The page of a server. */
export interface RunningPage {
  /**
   * Returns a link that opens the page once, within five minutes, as the administrator. The address has a certificate by
   * the server's own CA.
   */
  link(): string;
}

export interface Closable {
  close(): void;
}
