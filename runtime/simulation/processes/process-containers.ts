import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { once } from '../../machinery/event-loop/once.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import { type ContainerProcesses, type ProcessIO, StartError } from '../programs/container-processes.ts';
import type { RunningProgram, RunOf } from '../programs/container-run.ts';
import type { ProgramLog } from '../programs/program-log.ts';
import { clientExecutable, containerExecutable, type Executable } from './executable.ts';
import { MachineAddresses } from './machine-addresses.ts';
import { MountNamespaces } from './mount-namespaces.ts';
import type { IssueToken } from './object-volume.ts';
import { type ContainerFolder, PodFolder } from './pod-folder.ts';
import type { PodPrograms } from './pod-program-file.ts';
import { processEnvironment, type ServerPlace } from './process-environment.ts';
import { ProcessGroup } from './process-group.ts';
import { ProcessPod } from './process-pod.ts';
import { ProcessProgram } from './process-program.ts';
import type { MappedProgram } from './program-table.ts';
import { Watchdog } from './watchdog.ts';

/** The most processes of containers at once, and of commands beside them. */
const maxProcesses = 256;
const maxCommands = 64;

const accountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface ProcessContainersOptions {
  readonly programs: PodPrograms;
  readonly network: ClusterNetwork;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly issueToken: IssueToken;
  objects(): Promise<ClusterObjects>;
  /** Returns the address of the API server; undefined if it does not listen. */
  server(): ServerPlace | undefined;
}

/** What a process and the commands beside it have in common. */
interface ProcessSetting {
  readonly program: MappedProgram;
  readonly container: Container;
  readonly env: ReadonlyMap<string, string>;
  /** The working folder of commands. */
  readonly cwd: string;
  readonly running: ProcessProgram;
}

/** The containers of a server that are processes of this machine, and all that they need. */
export class ProcessContainers implements ContainerProcesses {
  readonly #options: ProcessContainersOptions;
  readonly #folder = once(() => mkdtemp(join(tmpdir(), 'kubeloom-pods-')));
  /** Undefined if programs see the machine's file system. */
  readonly #namespaces = once(() => this.#openNamespaces());
  readonly #addresses = new MachineAddresses();
  readonly #pods = new Map<string, ProcessPod>();
  /** By container ID. */
  readonly #settings = new Map<string, ProcessSetting>();
  readonly #closing = new Set<Promise<void>>();
  #watchdog: Watchdog | undefined;
  #processes = 0;
  #commands = 0;
  #isClosed = false;

  constructor(options: ProcessContainersOptions) {
    this.#options = options;
  }

  /** Finds out what the machine allows, and says what it does not. */
  async open(): Promise<void> {
    await this.#namespaces();
  }

  has(container: Container): boolean {
    return this.#options.programs.table.of(container) !== undefined;
  }

  async start(of: RunOf, log: ProgramLog): Promise<RunningProgram> {
    const program = this.#options.programs.table.of(of.container);
    if (program === undefined) throw new StartError('no program runs in place of the image');
    if (this.#processes >= maxProcesses) throw new StartError(`${maxProcesses} programs run on this machine already`);
    this.#processes++;
    try {
      const running = await this.#start(of, log, program).catch((error: unknown) => {
        throw error instanceof StartError ? error : new StartError(messageOf(error));
      });
      void running.ended.finally(() => this.#processes--);
      return running;
    } catch (error) {
      this.#processes--;
      throw error;
    }
  }

  async exec({ id, container }: RunOf, command: readonly string[], io: ProcessIO): Promise<number> {
    const setting = this.#settings.get(id);
    if (setting === undefined) throw new Error(`container not found (${JSON.stringify(container.name)})`);
    const { program, env, cwd, running } = setting;
    const executable = await clientExecutable(program, setting.container, command);
    const namespaces = await this.#namespaces();
    if (this.#commands >= maxCommands) throw new Error(`${maxCommands} commands run in containers already`);
    this.#commands++;
    try {
      const inside = namespaces?.enter(running.pid, executable, executable.cwd ?? setting.container.workingDir ?? '/');
      const spec = { cwd, ...(inside ?? executable), env, hasInput: io.stdin !== undefined, isRead: true };
      return await running.run(await ProcessGroup.start(spec, this.#dog(await this.#folder())), io);
    } finally {
      this.#commands--;
    }
  }

  async attach(id: string, io: ProcessIO): Promise<number> {
    return (await this.#settings.get(id)?.running.attach(io)) ?? 0;
  }

  forget(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    const closing = this.#remove(pod)
      .catch((err: unknown) => this.#options.logger.error({ err }, 'the files of a pod could not be removed'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** Ends all processes, and removes their files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const uid of [...this.#pods.keys()]) this.forget(uid);
    await Promise.all(this.#closing);
    this.#watchdog?.close();
    if (this.#watchdog !== undefined) await rm(await this.#folder(), { recursive: true, force: true });
  }

  async #openNamespaces(): Promise<MountNamespaces | undefined> {
    const { programs, logger } = this.#options;
    if (programs.isolation === 'none') return undefined;
    const opened = await MountNamespaces.open();
    if (typeof opened !== 'string') return opened;
    logger.warn({ reason: opened }, 'programs in pods see their volumes in a folder only, because this machine allows no mount namespaces');
    return undefined;
  }

  async #start(of: RunOf, log: ProgramLog, program: MappedProgram): Promise<ProcessProgram> {
    const { pod, container, id } = of;
    const { clock, objects: open, server: find } = this.#options;
    const server = find();
    if (server === undefined) throw new StartError('the server does not listen on this machine');
    const root = await this.#folder();
    const watchdog = this.#dog(root);
    const place = this.#podOf(pod, root, await open());
    await place.ports.choose(container, program, place.address);
    const files = place.folder.placeOf(container);
    const hasAccount = container.volumeMounts?.some(({ mountPath }) => mountPath === accountPath) === true;
    const kubeconfig = hasAccount ? join(dirname(files), 'kubeconfig') : undefined;
    const { address, ports } = place;
    const env = processEnvironment({ pod, container, objects: await open(), program, server, address, ports, root: files, kubeconfig });
    const folder = await place.folder.prepare(pod, container, env);
    if (kubeconfig !== undefined) await writeKubeconfig(kubeconfig, pod, folder, server);
    const executable = await this.#isolated(await containerExecutable(program, container, env), { program, folder, root });
    if (this.#isClosed) throw new StartError('the server ends');
    const group = await ProcessGroup.start({ cwd: program.cwd, ...executable, env, hasInput: container.stdin === true }, watchdog);
    place.add(group, pod);
    const running = new ProcessProgram({
      group,
      log,
      clock,
      stdinOnce: container.stdinOnce === true,
      message: () => place.folder.messageIn(folder),
    });
    this.#settings.set(id, { program, container, env, cwd: folder.workingFolder, running });
    void running.ended.then(() => this.#settings.delete(id));
    return running;
  }

  /** Returns what starts a program where it sees its volumes at their own paths, if it is to. */
  async #isolated(
    executable: Executable,
    { program, folder, root }: { readonly program: MappedProgram; readonly folder: ContainerFolder; readonly root: string },
  ): Promise<Executable> {
    const namespaces = await this.#namespaces();
    if (namespaces === undefined) return executable;
    const message = { path: folder.messagePath, source: folder.messageFile, isReadOnly: false };
    return namespaces.around(executable, {
      root: folder.emptyFolder,
      cwd: program.cwd,
      mounts: [...folder.mounts, message],
      needed: [root],
    });
  }

  #podOf(pod: Pod, root: string, objects: ClusterObjects): ProcessPod {
    const { uid = '' } = pod.metadata;
    let found = this.#pods.get(uid);
    if (found === undefined) {
      const { clock, issueToken, logger, network } = this.#options;
      const onError = (err: unknown): void => logger.error({ err }, 'the volumes of a pod could not be written');
      const folder = new PodFolder(root, pod, { clock, issueToken, objects, onError });
      found = new ProcessPod({ folder, network, address: this.#addresses.take() });
      this.#pods.set(uid, found);
    }
    return found;
  }

  async #remove(pod: ProcessPod): Promise<void> {
    await pod.kill();
    await pod.folder.close();
    this.#addresses.release(pod.address);
  }

  #dog(folder: string): Watchdog {
    this.#watchdog ??= new Watchdog(folder);
    return this.#watchdog;
  }
}

/** Writes a kubeconfig with the account of the pod. It has the current token for clients that do not read the file. */
async function writeKubeconfig(path: string, { metadata }: Pod, { root }: ContainerFolder, { host, port }: ServerPlace): Promise<void> {
  const account = join(root, accountPath);
  const tokenFile = join(account, 'token');
  const token = (await readFile(tokenFile, 'utf8').catch(() => '')) || undefined;
  const name = 'pod';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, 'certificate-authority': join(account, 'ca.crt') },
      },
    ],
    users: [{ name, user: { token, tokenFile } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: metadata.namespace } }],
    'current-context': name,
  };
  await writeFile(path, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}
