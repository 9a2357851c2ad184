import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingShared, sharedFolder } from '../support/shared-folder.ts';

const run = promisify(execFile);

/** The folder with the built reference. */
const home = process.env.REF_HOME ?? join(process.env.TMPDIR ?? tmpdir(), 'kubeloom-reference');

/** The reason why the reference cannot start; undefined if it can. */
export const missingReference: string | undefined =
  missingShared ??
  (existsSync(join(home, 'sid/ref/bin/refserver'))
    ? undefined
    : `the reference is not built in ${home}: run reference/setup.sh of the shared folder, with REF_HOME`);

/** Kubernetes' own server of custom resources, in Go, over etcd. */
export class Reference {
  readonly url: string;
  readonly token: string;
  readonly etcdUrl: string;
  readonly #scripts: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(scripts: string, env: NodeJS.ProcessEnv, state: string) {
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(state)?.[1] ?? '';
    this.#scripts = scripts;
    this.#env = env;
    this.url = value('SERVER_URL');
    this.token = value('TOKEN');
    this.etcdUrl = value('ETCD_URL');
  }

  /**
   * @param port the server's port; etcd uses the next two
   * @param flags flags of the server
   */
  static async start(port: number, flags: readonly string[]): Promise<Reference> {
    const scripts = join(sharedFolder, 'reference');
    const env = {
      ...process.env,
      REF_HOME: home,
      REF_PORT: String(port),
      REF_ETCD_PORT: String(port + 1),
      REF_ARGS: flags.join(' '),
    };
    const memory = existsSync('/dev/shm') ? { REF_DIR: '/dev/shm' } : {};
    const { stdout } = await run('bash', [join(scripts, 'up.sh')], { env: { ...env, ...memory } });
    return new Reference(scripts, env, stdout);
  }

  async stop(): Promise<void> {
    await run('bash', [join(this.#scripts, 'down.sh')], { env: this.#env });
  }
}
