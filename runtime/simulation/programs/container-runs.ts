import type { Container, ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { type ClusterObjects, openClusterObjects } from '../cluster-objects.ts';
import { containerEnvironment, expandedWords } from '../environment/container-environment.ts';
import { hostnameOf } from '../environment/hostname.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import { type ContainerNetwork, PodNetworkView } from '../network/container-network.ts';
import type { Endpoint } from '../network/endpoint.ts';
import type { Listener } from '../network/listener.ts';
import { type ContainerFiles, resolvePath } from '../streams/container-files.ts';
import { execAnswer } from '../streams/exec-answers.ts';
import { contentOf, type FolderNode } from '../streams/file-node.ts';
import { defaultMessagePath, initialFiles } from '../streams/initial-files.ts';
import { volumeFolder } from '../volumes/volume-folder.ts';
import { CollectedOutput } from './collected-output.ts';
import type { CommandResult } from './command-run.ts';
import { type ContainerProcesses, type ProcessIO, StartError } from './container-processes.ts';
import type { ProgramEnd, RunningProgram, RunOf } from './container-run.ts';
import { ProgramLog } from './program-log.ts';
import { commandLine, type ProgramPlan, programPlan } from './program-plan.ts';
import type { ServerProgram } from './servers/server.ts';

/** The most programs at once. Containers beyond that run without one. */
const maxPrograms = 5000;
/** The number of containers without a program whose files are kept; at least half of it is. */
const maxIdle = 64;
/** The number of pods whose volumes are kept; at least half of it is. */
const maxPods = 1024;
/** Characters and lines of a termination message. (pkg/kubelet/container, MaxContainerTerminationMessage…) */
const maxMessage = 4096;
const maxLogMessage = 2048;
const maxLogLines = 80;
/** Turns of the event loop that a reader of a log waits for a program that has just started. */
const settlingTurns = 200;

const networkModule = once(() => import('../network/network-of.ts'));
const endedContainer = once(() => import('../streams/ended-container.ts'));
const commandRun = once(() => import('./command-run.ts'));
const serverTable = once(() => import('./servers/table.ts'));

/** Loads the shell, which most containers do without. */
export const shellProgram = once(() => import('./shell-program.ts'));

/** A process of this machine decides how long it runs. */
const process: ProgramPlan = { kind: 'runs', isComplete: false };

interface PodVolumes {
  pod: Pod;
  readonly folders: Map<string, FolderNode>;
}

class Run {
  readonly log = new ProgramLog();
  readonly uid: string;
  readonly name: string;
  files: ContainerFiles | undefined;
  program: RunningProgram | undefined;
  end: ProgramEnd | undefined;
  message: string | undefined;
  onEnd: () => void = () => undefined;
  started: Promise<void> = Promise.resolve();
  /** The server in the container, from its first connection on. */
  server: Promise<ServerProgram | undefined> | undefined;
  isStopping = false;

  constructor({ pod, container }: RunOf) {
    this.uid = pod.metadata.uid ?? '';
    this.name = container.name;
  }
}

export interface ContainerRunsOptions {
  readonly clock: Clock;
  objects(): Promise<ClusterObjects>;
  network(): Promise<ClusterNetwork>;
  /** Ends one run of a container whose server has ended by itself. */
  end(pod: Pod, run: { readonly id: string; readonly exitCode: number }): Promise<void>;
}

const ofStores = new WeakMap<ResourceStores, ContainerRuns>();

/** Returns the runs that the kubelets and the streams of a server share. */
export function containerRunsOf(stores: ResourceStores): ContainerRuns {
  let runs = ofStores.get(stores);
  if (runs === undefined) {
    runs = new ContainerRuns({
      clock: stores.clock,
      objects: once(() => openClusterObjects(stores)),
      network: async () => (await networkModule()).clusterNetworkOf(stores),
      end: async (pod, run) => (await endedContainer()).endContainer(stores, pod, run),
    });
    ofStores.set(stores, runs);
  }
  return runs;
}

/** The runs of containers: their files, their programs, and what they have printed. */
export class ContainerRuns {
  readonly #options: ContainerRunsOptions;
  /** Runs with a program, by container ID. */
  readonly #runs = new Map<string, Run>();
  /** Container IDs by pod and container: the current run and the one before. */
  readonly #ids = new Map<string, Map<string, string[]>>();
  /** The runs that have ended, oldest first. */
  readonly #ended: string[] = [];
  #live = 0;
  /** The volumes of pods, by uid. */
  readonly #volumes = new BoundedMap<string, PodVolumes>(maxPods);
  readonly #idle = new BoundedMap<string, ContainerFiles>(maxIdle);
  #processes: ContainerProcesses | undefined;

  constructor(options: ContainerRunsOptions) {
    this.#options = options;
  }

  /** Lets processes of this machine run in place of some containers. */
  useProcesses(processes: ContainerProcesses): void {
    this.#processes = processes;
  }

  /** Reports whether a container is a process of this machine. */
  isProcess(container: Container): boolean {
    return this.#processes?.has(container) === true;
  }

  planOf(container: Container): ProgramPlan {
    return this.isProcess(container) ? process : programPlan(container);
  }

  /** Runs a command beside the process of a container. Returns its exit code. */
  async exec(of: RunOf, command: readonly string[], io: ProcessIO): Promise<number> {
    await this.#runs.get(of.id)?.started;
    return (await this.#processes?.exec(of, command, io)) ?? 0;
  }

  /** Connects a client to the streams of the process of a container. */
  async attach(id: string, io: ProcessIO): Promise<void> {
    await this.#runs.get(id)?.started;
    await this.#processes?.attach(id, io);
  }

  /**
   * Returns how a program has ended; undefined while it runs. Starts it if it has not been started.
   *
   * @param onEnd called at the end of a program that runs
   */
  endOf(of: RunOf, onEnd: () => void): ProgramEnd | undefined {
    const volumes = this.#volumes.get(of.pod.metadata.uid ?? '');
    if (volumes !== undefined) volumes.pod = of.pod;
    const run = this.#runs.get(of.id) ?? (this.#live < maxPrograms ? this.#begin(of) : undefined);
    // a reader of the log may have started it
    if (run !== undefined && run.end === undefined) run.onEnd = onEnd;
    return run?.end;
  }

  /** Returns how a program has ended; undefined if it runs or has not been started. */
  resultOf(id: string): ProgramEnd | undefined {
    return this.#runs.get(id)?.end;
  }

  /** Returns the message of a container that ends. */
  messageOf({ container, id }: Pick<RunOf, 'container' | 'id'>, exitCode: number): string | undefined {
    const run = this.#runs.get(id);
    const written = run?.message || messageIn(run?.files ?? this.#idle.get(id), container);
    if (written !== '') return written;
    if (container.terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return undefined;
    return run?.log.tail(maxLogMessage, maxLogLines) || undefined;
  }

  /** Sends a signal to the first process of a container. Returns whether it is handled. */
  signal(id: string, signal: string): boolean {
    const run = this.#runs.get(id);
    if (run !== undefined && signal === 'TERM') run.isStopping = true;
    return run?.program?.signal(signal) ?? false;
  }

  /** Returns what a server in a container listens with on a port; undefined if none does. */
  async listenerOf(of: RunOf, { port, protocol }: Pick<Endpoint, 'port' | 'protocol'>): Promise<Listener | undefined> {
    if (this.planOf(of.container).kind !== 'lasts') return undefined;
    const server = await this.#serverOf(of);
    return server?.ports.find((one) => one.port === port && one.protocol === protocol)?.listener;
  }

  /**
   * Runs a command in a container. Undefined if the container does not have it.
   *
   * @param signal aborted when nobody waits for the command any more
   */
  async runCommand(of: RunOf, line: readonly string[], signal: AbortSignal): Promise<CommandResult | undefined> {
    const { pod, container, id } = of;
    const answer = execAnswer(pod, container.name, line);
    if (answer !== undefined) return { output: answer.stdout + answer.stderr, exitCode: answer.exitCode };
    if (this.isProcess(container)) {
      const collected = new CollectedOutput();
      const exitCode = await this.exec(of, line, { stdout: collected, stderr: collected, signal });
      return { output: collected.text, exitCode };
    }
    const objects = await this.#options.objects();
    const { runInContainer } = await commandRun();
    return runInContainer({
      line,
      env: containerEnvironment({ pod, container, objects, onMissing: () => {} }),
      folder: container.workingDir ?? '/',
      files: await this.filesOf(of),
      clock: this.#options.clock,
      network: this.networkOf(of),
      signal,
      console: async (data) => this.print(id, data),
      signalFirst: (name) => void this.signal(id, name),
    });
  }

  /** Returns the network of a container that runs. */
  networkOf({ pod }: Pick<RunOf, 'pod'>): ContainerNetwork {
    const uid = pod.metadata.uid ?? '';
    return new PodNetworkView(() => this.#volumes.get(uid)?.pod ?? pod, this.#options.network);
  }

  async #serverOf(of: RunOf): Promise<ServerProgram | undefined> {
    let run = this.#runs.get(of.id);
    if (run?.server !== undefined) return run.server;
    const { serverOf } = await serverTable();
    const words = commandLine(of.container) ?? [];
    if (serverOf(words) === undefined) return undefined;
    run = this.#runs.get(of.id);
    if (run === undefined) {
      run = new Run(of);
      this.#runs.set(of.id, run);
      this.#remember(of);
    }
    run.server ??= this.#startServer(run, of);
    return run.server;
  }

  async #startServer(run: Run, of: RunOf): Promise<ServerProgram | undefined> {
    const { serverOf } = await serverTable();
    const { pod, container, id, startedAt } = of;
    const { clock } = this.#options;
    const objects = await this.#options.objects();
    const env = containerEnvironment({ pod, container, objects, onMissing: () => {} });
    const files = this.#newFiles(of, objects, env);
    run.files = files;
    const network = this.networkOf(of);
    const found = serverOf(expandedWords(commandLine(container) ?? [], env));
    const program = found?.start({
      args: found.args,
      env,
      files,
      hostname: hostnameOf(pod).kernelName,
      network,
      clock,
      startedAt,
      isStopping: () => run.isStopping,
      print: (line) => run.log.write(`${line}\n`, clock.now()),
      exit: (exitCode) => {
        run.log.close(clock.now());
        void this.#options.end(pod, { id, exitCode }).catch(() => undefined);
      },
      run: async (script) => {
        const result = await this.runCommand(of, ['sh', '-c', script], new AbortController().signal);
        return result ?? { output: '', exitCode: 127 };
      },
    });
    for (const line of program?.greeting ?? []) run.log.write(`${line}\n`, startedAt);
    return program;
  }

  /** Ends the program of a container that has ended. */
  stop(id: string): void {
    this.#runs.get(id)?.program?.kill(137);
  }

  /** Forgets the containers of a pod. */
  forget(uid: string): void {
    this.#volumes.delete(uid);
    this.#processes?.forget(uid);
    for (const ids of this.#ids.get(uid)?.values() ?? []) for (const id of ids) this.#drop(id);
    this.#ids.delete(uid);
  }

  close(): void {
    for (const uid of [...this.#ids.keys()]) this.forget(uid);
  }

  /** Returns the log of a run, when what it has printed so far is there. Undefined if it prints nothing. */
  async logOf(of: RunOf): Promise<ProgramLog | undefined> {
    const { kind } = programPlan(of.container);
    if (kind === 'lasts' && !of.container.stdin && of.finishedAt === undefined && !this.isProcess(of.container)) await this.#serverOf(of);
    const runsHere = this.isProcess(of.container) ? of.finishedAt === undefined : kind === 'runs' && !of.container.stdin;
    if (!runsHere) return this.#runs.get(of.id)?.log;
    let run = this.#runs.get(of.id);
    if (run === undefined && of.finishedAt !== undefined) {
      // a log that nobody has kept is made again
      run = new Run(of);
      await this.#start(run, of);
      await run.program?.settled;
      run.program?.kill(0);
      return run.log;
    }
    run ??= this.#begin(of);
    await run.started;
    let isSettled = run.end !== undefined;
    void run.program?.settled.then(() => {
      isSettled = true;
    });
    for (let turn = 0; turn < settlingTurns && !isSettled; turn++) await yieldToEventLoop();
    return run.log;
  }

  /** Returns the files of a container that runs. */
  async filesOf(of: RunOf): Promise<ContainerFiles> {
    const run = this.#runs.get(of.id);
    if (run !== undefined) {
      await run.started;
      if (run.files !== undefined) return run.files;
    }
    const objects = await this.#options.objects();
    const volumes = this.#volumes.get(of.pod.metadata.uid ?? '');
    if (volumes !== undefined) volumes.pod = of.pod;
    let files = this.#idle.get(of.id);
    if (files === undefined) {
      files = this.#newFiles(of, objects, containerEnvironment({ ...of, objects, onMissing: () => {} }));
      this.#idle.set(of.id, files);
    }
    return files;
  }

  /** Writes to the log of a container. */
  print(id: string, data: string | Buffer): void {
    this.#runs.get(id)?.log.write(data, this.#options.clock.now());
  }

  #begin(of: RunOf): Run {
    const run = new Run(of);
    this.#runs.set(of.id, run);
    this.#remember(of);
    this.#live++;
    const end = (result: ProgramEnd): void => {
      run.message = result.message ?? messageIn(run.files, of.container);
      run.files = undefined;
      run.end = result;
      this.#live--;
      this.#ended.push(of.id);
      if (this.#ended.length > maxPrograms) this.#drop(this.#ended.shift() ?? '');
      run.onEnd();
    };
    run.started = this.#start(run, of).then(
      () => {
        void run.program?.ended.then(end);
        // the pod may be gone
        if (this.#runs.get(of.id) !== run) run.program?.kill(137);
      },
      (error: unknown) => {
        const at = this.#options.clock.now();
        if (error instanceof StartError) return end({ exitCode: cannotStart, at, reason: 'StartError', message: error.message });
        run.log.write(`${messageOf(error)}\n`, at);
        run.log.close(at);
        end({ exitCode: cannotStart, at });
      },
    );
    return run;
  }

  #remember({ id, pod: { metadata }, container: { name } }: RunOf): void {
    const uid = metadata.uid ?? '';
    const byName = this.#ids.get(uid) ?? new Map<string, string[]>();
    this.#ids.set(uid, byName);
    const ids = byName.get(name) ?? [];
    byName.set(name, [id, ...ids].slice(0, 2));
    for (const old of ids.slice(1)) this.#drop(old);
  }

  #drop(id: string): void {
    const run = this.#runs.get(id);
    run?.program?.kill(137);
    run?.log.close(this.#options.clock.now());
    run?.log.clear();
    this.#runs.delete(id);
  }

  async #start(run: Run, of: RunOf): Promise<void> {
    const { container, pod } = of;
    if (this.#processes?.has(container)) {
      run.program = await this.#processes.start(of, run.log);
      return;
    }
    const objects = await this.#options.objects();
    const { startShellProgram } = await shellProgram();
    const env = containerEnvironment({ pod, container, objects, onMissing: () => {} });
    run.files = this.#newFiles(of, objects, env);
    const plan = programPlan(container);
    const mustEnd = pod.spec?.restartPolicy !== 'Always';
    run.program = startShellProgram({
      clock: this.#options.clock,
      startedAt: of.startedAt,
      finishedAt: of.finishedAt,
      line: expandedWords(commandLine(container) ?? [], env),
      env,
      folder: container.workingDir ?? '/',
      files: run.files,
      network: this.networkOf(of),
      log: run.log,
      isComplete: plan.kind === 'runs' && plan.isComplete,
      unknownFor: mustEnd ? 1000 : Number.POSITIVE_INFINITY,
    });
  }

  #newFiles({ pod, container }: RunOf, objects: ClusterObjects, variables: ReadonlyMap<string, string>): ContainerFiles {
    const now = (): number => this.#options.clock.now();
    const uid = pod.metadata.uid ?? '';
    const volumes = this.#volumes.get(uid) ?? { pod, folders: new Map<string, FolderNode>() };
    volumes.pod = pod;
    this.#volumes.set(uid, volumes);
    const folderOf = (name: string): FolderNode | undefined => {
      const volume = pod.spec?.volumes?.find((one) => one.name === name);
      let folder = volumes.folders.get(name);
      if (folder === undefined && volume !== undefined) {
        folder = volumeFolder(volume, { pod: () => volumes.pod, objects, now });
        volumes.folders.set(name, folder);
      }
      return folder;
    };
    return initialFiles({ pod, container, objects, variables, volume: folderOf, now });
  }
}

/** The exit code of a container that cannot be started. (containerd) */
const cannotStart = 128;

/** Returns the message that a program has written; "" if there is none. */
function messageIn(files: ContainerFiles | undefined, { terminationMessagePath = defaultMessagePath }: Container): string {
  const node = files?.stat(resolvePath('/', terminationMessagePath));
  return node?.kind === 'file' ? contentOf(node).subarray(0, maxMessage).toString() : '';
}

/** Returns the run that a status shows; undefined if the container does not run. */
export function runOf(pod: Pod, container: Container, { containerID, state }: ContainerStatus): RunOf | undefined {
  if (!state?.running || containerID === undefined) return undefined;
  return { pod, container, id: containerID, startedAt: Date.parse(state.running.startedAt ?? '') };
}
