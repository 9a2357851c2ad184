import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';

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
  readonly members: readonly EtcdMember[];
  readonly #folder: string;

  private constructor(members: readonly EtcdMember[], folder: string) {
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
      return new EtcdMember(binary, flags, url);
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

/** One etcd process. Its URL and data survive a restart. */
export class EtcdMember {
  readonly url: string;
  readonly #binary: string;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;
  #log = '';

  constructor(binary: string, flags: readonly string[], url: string) {
    this.#binary = binary;
    this.#flags = flags;
    this.url = url;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the process accepts connections. */
  async start(): Promise<void> {
    const child = spawn(this.#binary, this.#flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    // a test that crashes leaves none behind
    const onExit = (): boolean => child.kill('SIGKILL');
    process.on('exit', onExit);
    child.once('exit', () => process.off('exit', onExit));
    this.#log = '';
    const keep = (chunk: Buffer): void => {
      this.#log = `${this.#log}${chunk}`.slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const { hostname, port } = new URL(this.url);
    const isReady = await waitForPort(hostname, Number(port), () => child.exitCode === null && child.signalCode === null);
    if (!isReady) throw new Error(`etcd has ended: ${this.#log}`);
  }

  /** Kills the process. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Stops the process until `resume`. Its connections stay open. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }
}

async function waitForPort(host: string, port: number, isAlive: () => boolean): Promise<boolean> {
  while (isAlive()) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, host);
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return true;
    await setTimeout(10);
  }
  return false;
}
