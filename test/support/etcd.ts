import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { ListeningProcess } from './listening-process.ts';

/** The binary in $ETCD_BINARY, or the one on the PATH. */
export const etcdBinary: string | undefined =
  process.env.ETCD_BINARY ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((dir) => join(dir, 'etcd'))
    .find(existsSync);

/** The reason why tests cannot use etcd. With ETCD=1 they run, and fail without etcd. */
export const missingEtcd: string | undefined =
  etcdBinary !== undefined || process.env.ETCD === '1' ? undefined : 'there is no etcd on the PATH (Debian: apt-get install etcd-server)';

/** PEM files for the members' client connections. */
export interface EtcdTLS {
  readonly cert: string;
  readonly key: string;
  /** Clients need a certificate of this authority. Default: they need none. */
  readonly clientCA?: string;
}

export interface EtcdClusterOptions {
  /** The number of members. Default: 1. */
  readonly members?: number;
  readonly tls?: EtcdTLS;
  /**
   * Writes are synced to disk before they are acknowledged, as in production. Default: false, because no test cuts the
   * power.
   */
  readonly isDurable?: boolean;
  /** Default: etcdBinary. */
  readonly binary?: string;
  readonly args?: readonly string[];
}

/** An etcd cluster on the loopback interface, with its data in a temporary folder. */
export class EtcdCluster {
  readonly members: readonly ListeningProcess[];
  readonly #folder: string;

  private constructor(members: readonly ListeningProcess[], folder: string) {
    this.members = members;
    this.#folder = folder;
  }

  static async start(options: EtcdClusterOptions = {}): Promise<EtcdCluster> {
    const { members: count = 1, tls, isDurable = false, binary = etcdBinary, args = [] } = options;
    if (binary === undefined) throw new Error('there is no etcd on the PATH');
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-etcd-'));
    const ports = await freePorts(2 * count);
    const peers = Array.from({ length: count }, (_, at) => `http://127.0.0.1:${ports[2 * at + 1]}`);
    const members = peers.map((peer, at) => {
      const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${ports[2 * at]}`;
      const flags = [
        `--name=m${at}`,
        `--data-dir=${join(folder, `m${at}`)}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=${peers.map((each, index) => `m${index}=${each}`).join(',')}`,
        ...(isDurable ? [] : ['--unsafe-no-fsync']),
        '--heartbeat-interval=20',
        '--election-timeout=200',
        '--log-level=error',
        '--logger=zap',
        ...(tls === undefined ? [] : [`--cert-file=${tls.cert}`, `--key-file=${tls.key}`]),
        ...(tls?.clientCA === undefined ? [] : ['--client-cert-auth', `--trusted-ca-file=${tls.clientCA}`]),
        ...args,
      ];
      return new ListeningProcess(binary, flags, url);
    });
    const cluster = new EtcdCluster(members, folder);
    try {
      await Promise.all(members.map((member) => member.start()));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get endpoints(): readonly string[] {
    return this.members.map(({ url }) => url);
  }

  /** Stops all members and removes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}
