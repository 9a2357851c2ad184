import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DamageReport } from './reader.ts';

/** The process of reader.ts. */
export class StoreReader {
  readonly #child: ChildProcess;
  #errors = '';

  constructor() {
    const support = (path: string) => fileURLToPath(new URL(path, import.meta.url));
    this.#child = spawn(process.execPath, ['--import', support('../support/ts-loader.mjs'), support('./reader.ts')], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, KUBELOOM_TS_LOADER: '', NODE_OPTIONS: '' },
    });
    this.#child.stderr?.on('data', (data) => {
      this.#errors += data;
    });
  }

  /** Throws if the process crashes or prints to stderr. */
  async read(path: string): Promise<DamageReport> {
    const { stdin, stdout } = this.#child;
    stdin?.write(`${path}\n`);
    let output = '';
    const ended = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`the reader ended with ${code ?? signal}: ${this.#errors}`);
    });
    ended.catch(() => undefined);
    while (!output.endsWith('\n')) {
      const [data] = await Promise.race([once(stdout as NodeJS.ReadableStream, 'data'), ended]);
      output += data;
    }
    if (this.#errors !== '') throw new Error(`the reader printed: ${this.#errors}`);
    return JSON.parse(output);
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
  }
}
