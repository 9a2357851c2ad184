import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.ts';
import { ListeningProcess, type ProcessUser } from './listening-process.ts';

/** Debian installs each version into a folder of its own. */
const debianVersions = '/usr/lib/postgresql';

const debianFolders = (): string[] =>
  existsSync(debianVersions) ? readdirSync(debianVersions).map((version) => join(debianVersions, version, 'bin')) : [];

/** The folder with `initdb` and `postgres`: of the PATH, or of Debian. */
const binaries: string | undefined = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders()].find((folder) =>
  ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
);

/** The reason why tests cannot use PostgreSQL. */
export const missingPostgres: string | undefined =
  binaries === undefined ? 'there is no PostgreSQL (Debian: apt-get install postgresql)' : undefined;

/** PostgreSQL refuses to run as root. The number is that of the user nobody. */
const user: ProcessUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Also ends the processes of connections, which SIGKILL would leave behind. */
const immediateShutdown = 'SIGQUIT';

/**
 * kine opens a connection for each call at once, and PostgreSQL takes 100 by default. As with etcd, no test cuts the power, so
 * nothing waits for the disk.
 */
const settings = ['max_connections=500', 'fsync=off'].flatMap((setting) => ['-c', setting]);

/** A PostgreSQL server on the loopback interface, with its data in a temporary folder. */
export class Postgres {
  readonly #process: ListeningProcess;
  readonly #folder: string;

  private constructor(running: ListeningProcess, folder: string) {
    this.#process = running;
    this.#folder = folder;
  }

  static async start(): Promise<Postgres> {
    if (binaries === undefined) throw new Error('there is no PostgreSQL');
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-postgres-'));
    if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
    const data = join(folder, 'data');
    const [port] = await freePorts(1);
    const flags = ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', folder, ...settings];
    const postgres = new Postgres(new ListeningProcess(join(binaries, 'postgres'), flags, `tcp://127.0.0.1:${port}`, user), folder);
    try {
      await promisify(execFile)(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust'], { cwd: folder, ...user });
      await postgres.#process.start();
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    return postgres;
  }

  /** The address of its database, for kine. */
  get url(): string {
    return `postgres://postgres@${new URL(this.#process.url).host}/postgres?sslmode=disable`;
  }

  /** Ends the server without a checkpoint, as a crash does, and starts it again on its data. */
  async restart(): Promise<void> {
    await this.#process.kill(immediateShutdown);
    await this.#process.start();
  }

  /** Stops the server and removes its data. */
  async stop(): Promise<void> {
    await this.#process.kill(immediateShutdown);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
