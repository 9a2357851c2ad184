import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientOptions } from '../../../runtime/client/options.ts';
import { CutProxy } from '../../support/cut-proxy.ts';
import { EtcdCluster } from '../../support/etcd.ts';
import { HttpClient } from '../../support/http-client.ts';
import { SmallDisk } from '../../support/small-disk.ts';
import { ServerProcess } from './server-process.ts';

export interface WorldOptions {
  readonly engine: 'memory' | 'lmdb' | 'etcd';
  /** The number of servers. More than one needs etcd. Default: 1. */
  readonly servers?: number;
  /** The store is on a disk that can be filled. Default: false. */
  readonly isOnSmallDisk?: boolean;
}

/** More than a round writes. */
const diskMebibytes = 64;

/** Small ranges, so that double allocations become visible. */
const ranges = ['--service-cluster-ip-range=10.96.0.0/26', '--service-node-port-range=30000-30063'];

/** A server process, with the proxies of its clients and of its connection to etcd. */
export interface FaultyServer {
  readonly process: ServerProcess;
  readonly front: CutProxy;
  readonly backs: readonly CutProxy[];
  readonly client: HttpClient;
  /** Returns the current connection options for other clients than `client`. */
  options(): ClientOptions;
  /** Restarts the process after a kill. */
  restart(): Promise<void>;
}

/** Servers of one store, with everything that faults affect. */
export class World {
  readonly engine: WorldOptions['engine'];
  readonly servers: FaultyServer[] = [];
  readonly etcd: EtcdCluster | undefined;
  readonly disk: SmallDisk | undefined;
  readonly #folder: string;

  private constructor(engine: WorldOptions['engine'], folder: string, etcd?: EtcdCluster, disk?: SmallDisk) {
    this.engine = engine;
    this.etcd = etcd;
    this.disk = disk;
    this.#folder = folder;
  }

  static async open({ engine, servers = 1, isOnSmallDisk = false }: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-faults-'));
    const etcd = engine === 'etcd' ? await EtcdCluster.start({ members: 3 }) : undefined;
    const world = new World(engine, folder, etcd, isOnSmallDisk ? new SmallDisk(diskMebibytes) : undefined);
    try {
      while (world.servers.length < servers) world.servers.push(await world.#server());
    } catch (error) {
      await world.close();
      throw error;
    }
    return world;
  }

  async #server(): Promise<FaultyServer> {
    const folder = join(this.#folder, String(this.servers.length));
    await mkdir(folder);
    const backs = await Promise.all((this.etcd?.endpoints ?? []).map((url) => CutProxy.for(url)));
    const process = new ServerProcess(folder, [...this.#storageFlags(folder, backs), ...ranges]);
    let options = await process.start();
    const front = await CutProxy.for(options.server);
    const through = (): ClientOptions => ({ ...options, server: front.url });
    return {
      process,
      front,
      backs,
      options: through,
      client: HttpClient.for(placeOf(through())),
      async restart() {
        options = await process.start();
        front.aim(options.server);
      },
    };
  }

  #storageFlags(folder: string, backs: readonly CutProxy[]): readonly string[] {
    if (this.engine === 'etcd') {
      return [`--etcd-servers=${backs.map(({ url }) => url).join()}`, '--etcd-compaction-interval=2s'];
    }
    const place = this.engine === 'lmdb' ? [`--data-dir=${join(this.disk?.path ?? folder, 'data')}`] : [];
    return [`--storage=${this.engine}`, ...place, '--compaction-window=2s'];
  }

  /** The latest logs of the servers. */
  get log(): string {
    return this.servers.map(({ process }, at) => `server ${at}:\n${process.log.slice(-3000)}`).join('\n');
  }

  async close(): Promise<void> {
    for (const { process, front, backs, client } of this.servers) {
      client.close();
      process.resume();
      await process.kill();
      await Promise.all([front, ...backs].map((proxy) => proxy.close()));
    }
    await this.etcd?.stop();
    this.disk?.unmount();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the options of a client under test/support's names. */
export function placeOf({ server, ca, cert, key }: ClientOptions): {
  url: string;
  caCertificate: string;
  clientCertificate: string;
  clientKey: string;
} {
  return { url: server, caCertificate: String(ca), clientCertificate: String(cert), clientKey: String(key) };
}
