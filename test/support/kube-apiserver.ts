import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { issueCertificate, type KeyPair } from '../../runtime/serving/x509-certificate.ts';
import { EtcdCluster } from './etcd.ts';
import { freePorts } from './free-ports.ts';
import { HttpClient } from './http-client.ts';

/** The folder with bin/kube-apiserver and bin/etcd. */
const home = process.env.KUBE_HOME;

const binary = (name: string): string => join(home ?? '', 'bin', name);

/** The reason why tests cannot compare with kube-apiserver; undefined if they can. */
export const missingKubeApiserver: string | undefined =
  home === undefined || home === ''
    ? 'KUBE_HOME does not name a folder with bin/kube-apiserver and bin/etcd'
    : ['kube-apiserver', 'etcd'].every((name) => existsSync(binary(name)))
      ? undefined
      : `${join(home, 'bin')} does not have both kube-apiserver and etcd`;

export interface KubeApiserverOptions {
  /** Flags that extend or replace the defaults. */
  readonly args?: readonly string[];
}

/** Returns the version of the program, for example `v1.35.0`. */
export function kubeApiserverVersion(): string {
  const text = execFileSync(binary('kube-apiserver'), ['--version'], { encoding: 'utf8' });
  return text.trim().replace('Kubernetes ', '');
}

/** Returns the minor of a version, for example 35. */
export const minorOfVersion = (version: string): number => Number(version.split('.')[1]);

const day = 24 * 3600 * 1000;

/** Issues a certificate that is valid today. */
function issue(
  commonName: string,
  use: 'ca' | 'server' | 'client',
  issuer?: KeyPair,
  facts: { readonly names?: readonly string[]; readonly organizations?: readonly string[] } = {},
): KeyPair {
  return issueCertificate({ commonName, use, from: Date.now() - day, until: Date.now() + day, ...facts }, issuer);
}

/**
 * Kubernetes' own kube-apiserver with its own etcd, on the loopback interface, with data in a temporary folder. It has
 * RBAC, the default admission plugins and aggregation, but no kube-controller-manager.
 */
export class KubeApiserver {
  readonly url: string;
  readonly caCertificate: string;
  /** The certificate of a member of system:masters. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** The authority of clients' certificates. */
  readonly clientAuthority: KeyPair;
  /** The authority of front proxies' certificates, whose name is front-proxy-client. */
  readonly proxyAuthority: KeyPair;
  readonly etcdUrl: string;
  /** The folder of its files, removed at the end. */
  readonly folder: string;
  readonly #etcd: EtcdCluster;
  readonly #onExit = (): void => this.#kill();
  #process: ChildProcess | undefined;
  #version = '';
  #log = '';

  private constructor(folder: string, etcd: EtcdCluster, port: number, authorities: Authorities) {
    this.folder = folder;
    this.#etcd = etcd;
    [this.etcdUrl] = etcd.endpoints;
    this.url = `https://127.0.0.1:${port}`;
    this.caCertificate = authorities.serving.certificate;
    this.clientAuthority = authorities.client;
    this.proxyAuthority = authorities.proxy;
    const admin = issue('admin', 'client', authorities.client, { organizations: ['system:masters'] });
    this.clientCertificate = admin.certificate;
    this.clientKey = admin.key;
  }

  /** Resolves when the server is ready. @throws Error with the end of its log, if the server exits first */
  static async start({ args = [] }: KubeApiserverOptions = {}): Promise<KubeApiserver> {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-kube-apiserver-'));
    const etcd = await EtcdCluster.start({ binary: binary('etcd') });
    const [port] = await freePorts(1);
    const authorities = newAuthorities();
    const server = new KubeApiserver(folder, etcd, port, authorities);
    try {
      await writeFiles(folder, authorities);
      const replaced = args.some((arg) => arg.startsWith('--authorization-config=')) ? '--authorization-mode=' : undefined;
      const given = flags(folder, port, server.etcdUrl).filter((flag) => !replaced || !flag.startsWith(replaced));
      await server.#start(given, args);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /**
   * Returns a client with a certificate of the user. The caller closes it.
   *
   * @param place another server with the same authority of clients. Default: this one
   */
  clientOf(user: string, organizations: readonly string[] = [], place: { url: string; caCertificate: string } = this): HttpClient {
    const { certificate, key } = issue(user, 'client', this.clientAuthority, { organizations });
    const { url, caCertificate } = place;
    return HttpClient.for({ url, caCertificate, clientCertificate: certificate, clientKey: key });
  }

  /** The processes of the server and of its etcd. */
  get pids(): readonly number[] {
    return [this.#process?.pid, ...this.#etcd.members.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
  }

  /** For example `v1.35.0`. */
  get version(): string {
    return this.#version;
  }

  /** Resident memory now, in MiB, without etcd's. */
  rss(): number {
    const status = readFileSync(`/proc/${this.#process?.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Stops the server and its etcd, and removes their data. */
  async stop(): Promise<void> {
    process.off('exit', this.#onExit);
    const child = this.#process;
    if (child !== undefined && isRunning(child)) {
      const exited = once(child, 'exit');
      this.#kill();
      await exited;
    }
    await this.#etcd.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #start(given: readonly string[], args: readonly string[]): Promise<void> {
    const child = spawn(binary('kube-apiserver'), [...given, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    process.on('exit', this.#onExit);
    const keep = (chunk: Buffer): void => {
      this.#log = `${this.#log}${chunk}`.slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const http = HttpClient.for(this);
    try {
      while (!(await isReady(http))) {
        if (!isRunning(child)) throw new Error(`kube-apiserver has ended: ${this.#log}`);
        await setTimeout(50);
      }
      this.#version = (await http.get('/version')).json.gitVersion;
    } finally {
      http.close();
    }
  }

  #kill(): void {
    this.#process?.kill('SIGKILL');
  }
}

interface Authorities {
  readonly serving: KeyPair;
  readonly client: KeyPair;
  readonly proxy: KeyPair;
}

const newAuthorities = (): Authorities => ({
  serving: issue('kube-ca', 'ca'),
  client: issue('client-ca', 'ca'),
  proxy: issue('front-proxy-ca', 'ca'),
});

async function writeFiles(folder: string, { serving, client, proxy }: Authorities): Promise<void> {
  const server = issue('kube-apiserver', 'server', serving, { names: ['127.0.0.1', 'localhost'] });
  const frontProxy = issue('front-proxy-client', 'client', proxy);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const files = {
    'server.crt': server.certificate,
    'server.key': server.key,
    'client-ca.crt': client.certificate,
    'front-proxy-ca.crt': proxy.certificate,
    'front-proxy.crt': frontProxy.certificate,
    'front-proxy.key': frontProxy.key,
    'service-account.key': privateKey.export({ type: 'sec1', format: 'pem' }),
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content, { mode: 0o600 })));
}

function flags(folder: string, port: number, etcdUrl: string): string[] {
  const file = (name: string): string => join(folder, name);
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--client-ca-file=${file('client-ca.crt')}`,
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    `--service-account-key-file=${file('service-account.key')}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--requestheader-client-ca-file=${file('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file('front-proxy.crt')}`,
    `--proxy-client-key-file=${file('front-proxy.key')}`,
  ];
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

const isReady = (http: HttpClient): Promise<boolean> =>
  http.get('/readyz').then(
    ({ status }) => status === 200,
    () => false,
  );
