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

/** A server that is ready, until it is closed. */
export interface RunningServer extends SnapshotFiles, Assertions, Snapshots {
  /** For example `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly port: number;
  /** For example `v1.35.0+kubeloom.0.1.0`. */
  readonly version: string;
  /** Text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** PEM: the CA of the server's certificate, and the administrator's certificate and key. */
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly logger: Logger;
  /** With `clock: 'manual'`, its `advance` lets time pass. */
  readonly clock: ServerClock;
  /** A client of another release, or of other groups, by the function that `generated/<release>/client` exports. */
  client<C extends Closable>(createClient: (options: ClientOptions) => C): Promise<C>;
  /** A typed client of v1.35 with the administrator's certificate. Closing the server closes it. */
  client(): Promise<Client>;
  /** Absent without the option `replay`. */
  readonly replay: RunningReplay | undefined;
  /** The newest revision of the store. */
  revision(): number;
  /** Makes revisions before this one unreadable. Default: the newest. */
  compact(revision?: number): Promise<void>;
  /** Makes chosen requests fail. Requests pay for it only after the first plan. */
  readonly faults: Faults;
  /**
   * Another server with the objects of this one, which are shared until they change. Each goes its own way, whichever is closed
   * first. It has the options of this one, but for files that have one writer: it writes no audit log and no kubeconfig.
   *
   * @throws OptionError if the store keeps no snapshots
   */
  fork(options?: ForkOptions): Promise<RunningServer>;
  /** A request from inside this process, as the administrator unless it has credentials. @param path as `/api/v1/pods?limit=1` */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Lets the process end although the server runs, as Node's servers do. Then the server is not closed. */
  unref(): void;
  /**
   * Resolves with the reason when the server cannot go on: its data directory was moved, removed or taken by another process.
   * It then closes itself, without waiting for requests.
   */
  readonly failed: Promise<Error>;
  /** Ends watches, lets running requests finish, then closes the port and the store. All calls return the same promise. */
  close(): Promise<void>;
}

export interface Closable {
  close(): void;
}
