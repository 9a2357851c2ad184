import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Credentials, RawConnection } from './raw-client.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'kubeloom-bench-'));

/** A measured server process. */
export interface Target {
  readonly credentials: Credentials;
  readonly pid: number;
  /** Milliseconds from the start of `node` to the first 200 of /readyz. */
  readonly readyMs: number;
  readonly certDir: string;
  /** Returns the resident memory in MiB. */
  rss(): number;
  /** Asks the probe of a measured Kubeloom; see processes/probe.mjs. */
  ask(question: string): Promise<Record<string, number>>;
  /** @param asAdmin with the administrator's certificate. Default: true */
  open(count: number, asAdmin?: boolean): Promise<RawConnection[]>;
  close(): Promise<void>;
}

/** Returns Node's options in `npm start`. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words: string[] = scripts.start.split(' ');
  return words.slice(1, words.indexOf('dist/runtime/cli/main.js'));
}

/**
 * Starts `kubeloom serve` from dist/, like `npm start`, with its own folder.
 *
 * @param options.folder a folder with data below `data`; removed when the target is closed
 * @param options.isMeasured loads the probe, which would slow a cold start
 * @param options.keepsFolder leaves the folder for a later target
 */
export async function startKubeloom(
  flags: readonly string[],
  { folder = newFolder(), isMeasured = false, keepsFolder = false }: { folder?: string; isMeasured?: boolean; keepsFolder?: boolean } = {},
): Promise<Target> {
  const kubeconfig = join(folder, 'kubeconfig');
  const certDir = join(folder, 'certs');
  const args = ['dist/runtime/cli/main.js', 'serve', '--bind-address=127.0.0.1', '--secure-port=0'];
  args.push(`--data-dir=${join(folder, 'data')}`, `--cert-dir=${certDir}`, `--write-kubeconfig=${kubeconfig}`);
  const started = performance.now();
  // as BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=/tmp/profiles"
  const flagsOfNode = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const probe = isMeasured ? ['--expose-gc', `--import=${join(root, 'test/bench/processes/probe.mjs')}`] : [];
  const child = spawn(process.execPath, [...flagsOfStart(), ...flagsOfNode, ...probe, ...args, ...flags], {
    cwd: root,
    stdio: isMeasured ? ['ignore', 'ignore', 'pipe', 'ipc'] : ['ignore', 'ignore', 'pipe'],
  });
  await appears(kubeconfig, folder, child);
  const credentials = credentialsOf(readFileSync(kubeconfig, 'utf8'));
  await becomesReady(credentials, child);
  const readyMs = performance.now() - started;
  return target(child, credentials, readyMs, certDir, async () => {
    // with an old kubeconfig, the next server would seem ready
    await rm(keepsFolder ? kubeconfig : folder, { recursive: true, force: true });
  });
}

/** Waits for /readyz, which fails while hooks after the start still run. */
async function becomesReady(credentials: Credentials, child: ChildProcess): Promise<void> {
  const connection = await RawConnection.open(credentials);
  for (;;) {
    const { status } = await connection.send(RawConnection.request('GET', '/readyz'));
    if (status === 200) break;
    if (child.exitCode !== null) throw new Error(`the server has ended, and /readyz returned ${status}`);
    await setTimeout(1);
  }
  connection.close();
}

/** Starts the bare server with the certificate of `like`. */
export async function startLimit(like: Target): Promise<Target> {
  const started = performance.now();
  const [cert, key] = ['crt', 'key'].map((end) => join(like.certDir, `apiserver.${end}`));
  const script = join(root, 'test/bench/processes/limit-server.mjs');
  const child = spawn(process.execPath, [script, cert, key], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => resolve(Number(/ready (\d+)/.exec(text.toString())?.[1])));
    child.once('exit', () => reject(new Error('the limit server did not start')));
  });
  const credentials = { ...like.credentials, port };
  return target(child, credentials, performance.now() - started, like.certDir, async () => {});
}

/** Concurrent handshakes: on a small machine clients take processor time from the server. */
const openAtOnce = 64;

function target(child: ChildProcess, credentials: Credentials, readyMs: number, certDir: string, cleanUp: () => Promise<void>): Target {
  const pid = child.pid as number;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    credentials,
    pid,
    readyMs,
    certDir,
    rss: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    ask: (question) =>
      new Promise((resolve) => {
        child.once('message', (response) => resolve(response as Record<string, number>));
        child.send(question);
      }),
    async open(count, asAdmin = true) {
      const own = asAdmin ? credentials : { ...credentials, cert: undefined, key: undefined };
      const connections: RawConnection[] = [];
      while (connections.length < count) {
        const some = Math.min(openAtOnce, count - connections.length);
        connections.push(...(await Promise.all(Array.from({ length: some }, () => RawConnection.open(own)))));
      }
      return connections;
    },
    async close() {
      child.kill('SIGTERM');
      await exited;
      await cleanUp();
    },
  };
}

function credentialsOf(kubeconfig: string): Credentials {
  const config = parse(kubeconfig);
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  const pem = (base64: string): string => Buffer.from(base64, 'base64').toString();
  return {
    host: '127.0.0.1',
    port: Number(new URL(cluster.server).port),
    ca: pem(cluster['certificate-authority-data']),
    cert: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  };
}

function appears(file: string, folder: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (text: Buffer) => {
      log = (log + text.toString()).slice(-4000);
    });
    const watcher = watch(folder, () => check());
    const check = (): void => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    child.once('exit', (code) => {
      watcher.close();
      reject(new Error(`the server ended with ${code} before it was ready\n${log}`));
    });
    check();
  });
}
