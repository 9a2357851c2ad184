import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get as getPlainly } from 'node:http';
import { get as getSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { issueCertificate, type KeyPair } from '../../runtime/serving/x509-certificate.ts';
import { freePorts } from './free-ports.ts';

const startTimeoutMs = 20_000;
const pollIntervalMs = 100;

/** A process with envtest's start and stop. (controller-runtime pkg/internal/testing/process/process.go) */
class EnvtestProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  stderr = '';

  private constructor(path: string, args: readonly string[]) {
    this.#child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#exited = once(this.#child, 'exit');
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
  }

  /** Resolves when `health` responds with 200. It is polled every 100 ms. */
  static async start(path: string, args: readonly string[], health: string): Promise<EnvtestProcess> {
    const process = new EnvtestProcess(path, args);
    const deadline = Date.now() + startTimeoutMs;
    while ((await statusOf(health)) !== 200) {
      const hasEnded = process.#child.exitCode !== null;
      if (hasEnded || Date.now() > deadline) throw new Error(`${path} did not start: ${process.stderr}`);
      await setTimeout(pollIntervalMs);
    }
    return process;
  }

  /** Resolves to the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#exited;
    return this.#child.exitCode;
  }
}

/** Returns undefined without a response. Certificates are not verified. */
async function statusOf(url: string): Promise<number | undefined> {
  const get = url.startsWith('https:') ? getSecurely : getPlainly;
  return new Promise((resolve) => {
    const request = get(url, { rejectUnauthorized: false, agent: false } as object, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', () => resolve(undefined));
  });
}

/** Reports whether a line of --help begins with the flag. (CheckFlag) */
async function hasFlag(path: string, flag: string): Promise<boolean> {
  const help = await new Promise<string>((resolve, reject) => {
    execFile(path, ['--help'], (error, stdout, stderr) => (error ? reject(error) : resolve(stdout + stderr)));
  });
  return new RegExp(`^\\s*--${flag}\\b`, 'm').test(help);
}

/** A certificate authority whose certificates last a day. (pkg/internal/testing/certs/tinyca.go) */
class TinyCA {
  readonly #times = { from: Date.now(), until: Date.now() + 24 * 3600_000 };
  readonly ca: KeyPair = issueCertificate({
    commonName: 'envtest-environment',
    organizations: ['envtest'],
    use: 'ca',
    ...this.#times,
  });

  serving(names: readonly string[]): KeyPair {
    const request = { commonName: 'localhost', organizations: ['envtest'], names, use: 'server' } as const;
    return issueCertificate({ ...request, ...this.#times }, this.ca);
  }

  client(commonName: string, organizations: readonly string[]): KeyPair {
    return issueCertificate({ commonName, organizations, use: 'client', ...this.#times }, this.ca);
  }
}

export interface EnvtestOptions {
  /** The binary that replaces the assets' etcd. */
  readonly etcd?: string;
  /** Arguments that a suite sets by `APIServer.Configure()`. They override the defaults. */
  readonly configure?: Readonly<Record<string, string>>;
}

/**
 * A control plane that starts like `envtest.Environment`: with the same command lines, certificates and waits.
 * (controller-runtime pkg/internal/testing/controlplane)
 */
export class Envtest {
  readonly #folders: readonly string[];
  readonly #etcd: EnvtestProcess;
  readonly #apiServer: EnvtestProcess;
  readonly #users: TinyCA;
  readonly url: string;
  readonly etcdURL: string;
  readonly caCertificate: string;

  private constructor(
    folders: readonly string[],
    [etcd, apiServer]: readonly [EnvtestProcess, EnvtestProcess],
    [url, etcdURL]: readonly [string, string],
    [caCertificate, users]: readonly [string, TinyCA],
  ) {
    this.#folders = folders;
    this.#etcd = etcd;
    this.#apiServer = apiServer;
    this.url = url;
    this.etcdURL = etcdURL;
    this.caCertificate = caCertificate;
    this.#users = users;
  }

  /** @param assets the value of KUBEBUILDER_ASSETS */
  static async start(assets: string, { etcd: otherEtcd, configure = {} }: EnvtestOptions = {}): Promise<Envtest> {
    const [dataDir, certDir] = [await temporaryFolder(), await temporaryFolder()];
    const [etcdPort, peerPort, port] = await freePorts(3);
    const etcdURL = `http://127.0.0.1:${etcdPort}`;
    const etcdPath = otherEtcd ?? join(assets, 'etcd');
    const etcdArgs = {
      'advertise-client-urls': etcdURL,
      'data-dir': dataDir,
      'listen-client-urls': etcdURL,
      'listen-peer-urls': `http://127.0.0.1:${peerPort}`,
      ...((await hasFlag(etcdPath, 'unsafe-no-fsync')) && { 'unsafe-no-fsync': 'true' }),
    };
    const etcd = await EnvtestProcess.start(etcdPath, argsOf(etcdArgs), `${etcdURL}/health`);

    const [serving, tokens, users] = [new TinyCA(), new TinyCA(), new TinyCA()];
    const pair = serving.serving(['localhost', '127.0.0.1']);
    const files = {
      'apiserver.crt': pair.certificate,
      'apiserver.key': pair.key,
      'sa-signer.crt': tokens.ca.certificate,
      'sa-signer.key': tokens.ca.key,
      'client-cert-auth-ca.crt': users.ca.certificate,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(certDir, name), text, { mode: 0o640 });

    const url = `https://127.0.0.1:${port}`;
    const apiServerPath = join(assets, 'kube-apiserver');
    const apiServerArgs = {
      'allow-privileged': 'true',
      'authorization-mode': 'RBAC',
      'bind-address': '127.0.0.1',
      'cert-dir': certDir,
      'client-ca-file': join(certDir, 'client-cert-auth-ca.crt'),
      'disable-admission-plugins': 'ServiceAccount',
      'etcd-servers': etcdURL,
      'secure-port': String(port),
      'service-account-issuer': `${url}/`,
      'service-account-key-file': join(certDir, 'sa-signer.crt'),
      'service-account-signing-key-file': join(certDir, 'sa-signer.key'),
      'service-cluster-ip-range': '10.0.0.0/24',
      ...((await hasFlag(apiServerPath, 'insecure-port')) && { 'insecure-port': '0' }),
      ...configure,
    };
    const apiServer = await EnvtestProcess.start(apiServerPath, argsOf(apiServerArgs), `${url}/healthz`).catch(async (error) => {
      await etcd.stop();
      throw error;
    });
    return new Envtest([dataDir, certDir], [etcd, apiServer], [url, etcdURL], [serving.ca.certificate, users]);
  }

  /** Returns the connection details of a user with a certificate. */
  user(name: string, groups: readonly string[]): { url: string; caCertificate: string; clientCertificate: string; clientKey: string } {
    const { certificate, key } = this.#users.client(name, groups);
    const { url, caCertificate } = this;
    return { url, caCertificate, clientCertificate: certificate, clientKey: key };
  }

  /** Resolves with the exit codes of kube-apiserver and etcd. */
  async stop(): Promise<readonly (number | null)[]> {
    const codes = [await this.#apiServer.stop(), await this.#etcd.stop()];
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
    return codes;
  }

  /** Reports whether any process still listens. */
  async isServing(): Promise<boolean> {
    const statuses = await Promise.all([statusOf(`${this.url}/healthz`), statusOf(`${this.etcdURL}/health`)]);
    return statuses.some((status) => status !== undefined);
  }
}

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'k8s_test_framework_'));

/** Returns the arguments, sorted. (Arguments.AsStrings) */
const argsOf = (args: Readonly<Record<string, string>>): string[] =>
  Object.entries(args)
    .map(([name, value]) => `--${name}=${value}`)
    .sort();
