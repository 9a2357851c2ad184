import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { ListeningProcess } from './listening-process.ts';
import type { Postgres } from './postgres.ts';

/** The binary in $KINE_BINARY, or the one on the PATH. */
const kineBinary: string | undefined =
  process.env.KINE_BINARY ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((dir) => join(dir, 'kine'))
    .find(existsSync);

/** The reason why tests cannot use kine. */
export const missingKine: string | undefined =
  kineBinary === undefined ? 'there is no kine on the PATH (go install github.com/k3s-io/kine@v0.17.5)' : undefined;

/** A kine, which speaks etcd's protocol and stores in a database, with its files in a temporary folder. */
export class Kine {
  readonly #process: ListeningProcess;
  readonly #folder: string;
  readonly #postgres: Postgres | undefined;

  private constructor(running: ListeningProcess, folder: string, postgres: Postgres | undefined) {
    this.#process = running;
    this.#folder = folder;
    this.#postgres = postgres;
  }

  /** @param postgres belongs to this kine from now on. Without one, kine stores in SQLite. */
  static async start(postgres?: Postgres): Promise<Kine> {
    if (kineBinary === undefined) throw new Error('there is no kine on the PATH');
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-kine-'));
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const database = postgres?.url ?? `sqlite://${join(folder, 'state.db')}?_journal=WAL&cache=shared&_busy_timeout=30000`;
    const flags = [`--listen-address=${url.replace('http', 'tcp')}`, `--endpoint=${database}`, '--metrics-bind-address=0'];
    const kine = new Kine(new ListeningProcess(kineBinary, flags, url), folder, postgres);
    try {
      await kine.#process.start();
    } catch (error) {
      await kine.stop();
      throw error;
    }
    return kine;
  }

  get endpoint(): string {
    return this.#process.url;
  }

  /** Kills kine, and its PostgreSQL if it has one, and starts them again on their data. */
  async restart(): Promise<void> {
    await this.#process.kill();
    await this.#postgres?.restart();
    await this.#process.start();
  }

  /** Stops the processes and removes their data. */
  async stop(): Promise<void> {
    await this.#process.kill();
    await this.#postgres?.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
