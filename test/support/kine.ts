import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { EtcdMember } from './etcd.ts';
import { freePorts } from './free-ports.ts';

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

/** A kine, which speaks etcd's protocol and stores in SQLite, in a temporary folder. */
export class Kine {
  readonly #member: EtcdMember;
  readonly #folder: string;

  private constructor(member: EtcdMember, folder: string) {
    this.#member = member;
    this.#folder = folder;
  }

  static async start(): Promise<Kine> {
    if (kineBinary === undefined) throw new Error('there is no kine on the PATH');
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-kine-'));
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const database = `sqlite://${join(folder, 'state.db')}?_journal=WAL&cache=shared&_busy_timeout=30000`;
    const flags = [`--listen-address=${url.replace('http', 'tcp')}`, `--endpoint=${database}`, '--metrics-bind-address=0'];
    const kine = new Kine(new EtcdMember(kineBinary, flags, url), folder);
    try {
      await kine.#member.start();
    } catch (error) {
      await kine.stop();
      throw error;
    }
    return kine;
  }

  get endpoint(): string {
    return this.#member.url;
  }

  /** Kills the process and starts it again on its data. */
  async restart(): Promise<void> {
    await this.#member.kill();
    await this.#member.start();
  }

  /** Stops the process and removes its data. */
  async stop(): Promise<void> {
    await this.#member.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
