import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ContainerIO, LogOptions, PodHandlers } from '../../streaming/pod-handlers.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { containerEnvironment, expandedCommand } from '../environment/container-environment.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import { DialFault } from '../network/dial-fault.ts';
import { clusterNetworkOf } from '../network/network-of.ts';
import { containerOf } from '../pods/container-of.ts';
import type { RunOf } from '../programs/container-run.ts';
import { type ContainerRuns, containerRunsOf, runOf } from '../programs/container-runs.ts';
import { programPlan } from '../programs/program-plan.ts';
import { resolvePath } from './container-files.ts';
import { containerLog, type PodFollower, statusOf } from './container-logs.ts';
import { endContainer } from './ended-container.ts';
import { execAnswer } from './exec-answers.ts';
import { followPod } from './pod-follower.ts';
import { roomIn } from './room-in.ts';
import { Input } from './shell/input.ts';
import type { Process } from './shell/process.ts';
import { KilledError, ProcessorTime } from './shell/processor-time.ts';
import { exitCodeAfter, Signals } from './shell/signals.ts';
import { isKnown, isShell, runCommand, runShell } from './shell/spawn.ts';
import { runInteractively } from './shell/terminal.ts';

/** Returns the handlers for the pods of a server. */
export const simulatedPods = (
  stores: ResourceStores,
  options: SimulationOptions,
  objects: () => Promise<ClusterObjects>,
): Pick<SimulatedPods, keyof PodHandlers> => {
  const follow = (pod: Pod): Promise<PodFollower> => followPod(stores, pod);
  const pods = new SimulatedPods({
    clock: stores.clock,
    network: clusterNetworkOf(stores, options),
    follow,
    objects,
    runs: containerRunsOf(stores),
    end: (pod, life) => endContainer(stores, pod, life),
  });
  return {
    exec: (pod, command, io) => pods.exec(pod, command, io),
    attach: (pod, io) => pods.attach(pod, io),
    logs: (pod, options) => pods.logs(pod, options),
    portForward: (pod, port, connection) => pods.portForward(pod, port, connection),
  };
};

export interface SimulatedPodsOptions {
  readonly clock: Clock;
  readonly network: ClusterNetwork;
  follow(pod: Pod): Promise<PodFollower>;
  objects(): Promise<ClusterObjects>;
  readonly runs: ContainerRuns;
  /** Ends one run of a container because of its input. */
  end(pod: Pod, life: { readonly id: string; readonly exitCode: number }): Promise<void>;
}

/** Handles exec, attach, port-forward and logs of simulated pods. */
export class SimulatedPods implements Required<PodHandlers> {
  readonly #options: SimulatedPodsOptions;

  constructor(options: SimulatedPodsOptions) {
    this.#options = options;
  }

  async exec(pod: Pod, command: readonly string[], io: ContainerIO): Promise<number> {
    const own = this.#processOf(pod, io.container);
    if (own !== undefined && execAnswer(pod, io.container, command) === undefined) return this.#options.runs.exec(own, command, io);
    const process = await this.#process(pod, command.slice(1), io);
    return exitCodeOf(run(pod, command, { process, io })).finally(() => process.time.kill());
  }

  /**
   * With stdin, runs the container's own command if it reads stdin, else a shell. The command's end also ends a
   * container with stdin, unless the input ended first and stdinOnce is not set. Without stdin, prints the log until
   * the container ends.
   */
  async attach(pod: Pod, io: ContainerIO): Promise<number> {
    const own = this.#processOf(pod, io.container);
    if (own !== undefined) {
      await this.#options.runs.attach(own.id, io);
      return 0;
    }
    const process = await this.#process(pod, [], io);
    if (io.stdin !== undefined) {
      const container = containerOf(pod, io.container);
      const line = container?.stdin ? expandedCommand(container, process.env) : [];
      const typedInto: Process = { ...process, args: line.slice(1) };
      const running = line.length > 0 ? run(pod, line, { process: typedInto, io }) : runInteractively(typedInto);
      const exitCode = await exitCodeOf(running);
      const hasEnded = !process.stdin.hasEnded || container?.stdinOnce === true;
      const id = statusOf(pod, io.container)?.containerID;
      if (container?.stdin && hasEnded && !io.signal.aborted && id) await this.#options.end(pod, { id, exitCode });
      // the container's status reports the exit code
      return 0;
    }
    const { container, signal } = io;
    const log: LogOptions = {
      container,
      signal,
      follow: true,
      previous: false,
      timestamps: false,
      since: new Date(this.#options.clock.now()),
      tailLines: undefined,
      limitBytes: undefined,
    };
    for await (const line of this.logs(pod, log)) await process.out(line);
    return 0;
  }

  logs(pod: Pod, options: LogOptions): AsyncGenerator<string> {
    return containerLog(pod, options, this.#options);
  }

  async portForward(pod: Pod, port: number, connection: Duplex): Promise<void> {
    const { network } = this.#options;
    const opened = await network.dialPod(pod, { port }).catch((error: Error) => {
      throw error instanceof DialFault ? refused(pod, port) : error;
    });
    await Promise.all([pipeline(connection, opened), pipeline(opened, connection)]);
  }

  /** Returns the run of a container that is a process of this machine and runs. */
  #processOf(pod: Pod, name: string): RunOf | undefined {
    const status = statusOf(pod, name);
    const container = containerOf(pod, name);
    if (status === undefined || container === undefined || !this.#options.runs.isProcess(container)) return undefined;
    return runOf(pod, container, status);
  }

  /** @throws Error if the container does not run */
  async #process(pod: Pod, args: readonly string[], io: ContainerIO): Promise<Process> {
    const { container: name, stdin, stdout, stderr, signal } = io;
    const status = statusOf(pod, name);
    const container = containerOf(pod, name);
    if (!status?.state?.running || container === undefined) throw new Error(`container not found (${quote(name)})`);
    // deleted objects are left out
    const objects = await this.#options.objects();
    const env = containerEnvironment({ pod, container, objects, onMissing: () => {} });
    const { runs, clock, end } = this.#options;
    const id = status.containerID ?? '';
    const files = await runs.filesOf({ pod, container, id, startedAt: Date.parse(status.state.running.startedAt ?? '') });
    if (io.tty) env.set('TERM', 'xterm');
    const time = ProcessorTime.of(signal);
    const out = writerTo(stdout, time);
    return {
      pid: firstPid,
      args,
      stdin: stdin === undefined ? Input.empty() : new Input(stdin),
      hasTerminal: io.tty && stdin !== undefined,
      signals: new Signals(),
      depth: 0,
      env,
      clock,
      folder: container.workingDir ?? '/',
      files,
      network: runs.networkOf({ pod }),
      time,
      out,
      err: writerTo(stderr ?? stdout, time),
      console: async (data) => runs.print(id, data),
      run: runCommand,
      signalFirst: (signal) => {
        // the first process of a container only gets the signals that it handles (pid_namespaces)
        const isServer = programPlan(container).kind === 'lasts' && !['EXIT', 'KILL', 'STOP'].includes(signal);
        if (!runs.signal(id, signal) && isServer) void end(pod, { id, exitCode: signal === 'TERM' ? 0 : exitCodeAfter(signal) });
      },
    };
  }
}

/** Returns the exit code of a process, including a killed one. */
async function exitCodeOf(running: Promise<number> | number): Promise<number> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof KilledError) return killed;
    throw error;
  }
}

/**
 * Returns the exit code.
 *
 * @throws KilledError if the process was killed from outside
 */
async function run(
  pod: Pod,
  command: readonly string[],
  { process, io }: { readonly process: Process; readonly io: ContainerIO },
): Promise<number> {
  const answer = execAnswer(pod, io.container, command);
  if (answer !== undefined) {
    await process.out(answer.stdout);
    await process.err(answer.stderr);
    return answer.exitCode;
  }
  const [name = ''] = command;
  if (isShell(name)) {
    const isInteractive = io.stdin !== undefined && command.length === 1;
    return isInteractive ? runInteractively(process) : runShell(process, name);
  }
  const path = resolvePath(process.folder, name);
  if (!isKnown(name) && !(name.includes('/') && process.files.isFile(path))) throw notFound(name);
  return runCommand(name, process);
}

/** The process of a command that exec runs. */
const firstPid = 10;
/** 128 and SIGKILL. */
const killed = 137;
/** The most bytes of one write, as for a Linux pipe. */
const pipeBytes = 64 * 1024;

/** Returns a function that writes at the client's speed. */
function writerTo(stream: ContainerIO['stdout'], time: ProcessorTime): Process['out'] {
  return async (data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length || at === 0; at += pipeBytes) {
      await time.use();
      if (stream === undefined || stream.destroyed || bytes.length === 0) return;
      if (!stream.write(bytes.subarray(at, at + pipeBytes))) await roomIn(stream);
    }
  };
}

/** Returns the error in the words of containerd and runc. */
const notFound = (name: string): Error =>
  new Error(
    'failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ' +
      `exec: ${quote(name)}: executable file not found in $PATH`,
  );

/** Returns the error in containerd's words. */
function refused({ metadata }: Pod, port: number): Error {
  const namespace = `/var/run/netns/cni-${metadata.uid}`;
  const why = `dial tcp4 127.0.0.1:${port}: connect: connection refused, dial tcp6: address localhost: no suitable address found`;
  return new Error(`failed to connect to localhost:${port} inside namespace ${quote(namespace)}, IPv4: ${why}`);
}
