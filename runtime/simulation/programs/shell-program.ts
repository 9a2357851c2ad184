import type { Clock } from '../../machinery/clock.ts';
import type { ContainerNetwork } from '../network/container-network.ts';
import type { ContainerFiles } from '../streams/container-files.ts';
import { pause } from '../streams/shell/commands/text.ts';
import { Input } from '../streams/shell/input.ts';
import type { Process } from '../streams/shell/process.ts';
import { KilledError, ProcessorTime } from '../streams/shell/processor-time.ts';
import { Signals } from '../streams/shell/signals.ts';
import { isKnown, runCommand } from '../streams/shell/spawn.ts';
import type { ProgramEnd, RunningProgram } from './container-run.ts';
import { ProgramClock } from './program-clock.ts';
import type { ProgramLog } from './program-log.ts';

export interface ShellProgramOptions {
  /** The server's clock. */
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The end of the container if it has ended already. */
  readonly finishedAt: number | undefined;
  readonly line: readonly string[];
  readonly env: Map<string, string>;
  readonly folder: string;
  readonly files: ContainerFiles;
  readonly network: ContainerNetwork;
  readonly log: ProgramLog;
  /** Whether unknown programs are missing. Otherwise they are the image's own. */
  readonly isComplete: boolean;
  /** Milliseconds that the image's own programs run. */
  readonly unknownFor: number;
}

/** Milliseconds for which a program that never pauses is stopped. It grows to a minute. */
const firstRest = 1000;
const longestRest = 60_000;

/** Starts a command of the simulation's shell as the first process of a container. */
export function startShellProgram(options: ShellProgramOptions): RunningProgram {
  const { line, log, isComplete, unknownFor, finishedAt = Number.POSITIVE_INFINITY } = options;
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const clock = new ProgramClock(options.clock, { from: options.startedAt, limit: finishedAt, onLive: () => settle() });
  let rest = firstRest;
  const controller = new AbortController();
  const time = ProcessorTime.of(controller.signal, async () => {
    await pause({ clock, time }, rest);
    rest = Math.min(2 * rest, longestRest);
  });
  const signals = new Signals();
  const out: Process['out'] = async (data) => {
    await time.use();
    log.write(data, clock.now());
  };
  const run: Process['run'] = async (name, process, shell) => {
    const isFile = name.includes('/') && process.files.isFile(name);
    if (isComplete || isKnown(name) || isFile) return runCommand(name, process, shell);
    for (const end = clock.now() + unknownFor; clock.now() < end; ) await pause(process, end - clock.now());
    return 0;
  };
  const [name = '', ...args] = line;
  const { env, files, folder, network } = options;
  const process: Process = {
    pid: 1,
    args,
    stdin: Input.empty(),
    env,
    files,
    network,
    clock,
    signals,
    depth: 0,
    time,
    folder,
    out,
    err: out,
    console: out,
    run,
    signalFirst: () => undefined,
  };
  const ended = run(name, process)
    .catch((error: unknown) => {
      if (error instanceof KilledError) return error.exitCode;
      log.write(`${error instanceof Error ? error.message : String(error)}\n`, clock.now());
      return 1;
    })
    .then((exitCode): ProgramEnd => {
      const at = clock.now();
      time.kill();
      log.close(at);
      settle();
      return { exitCode, at };
    });
  return { ended, settled, signal: (signal) => signals.send(signal), kill: (exitCode) => time.kill(exitCode) };
}
