import type { Clock } from '../../machinery/clock.ts';
import type { ContainerNetwork } from '../network/container-network.ts';
import type { ContainerFiles } from '../streams/container-files.ts';
import { Collected } from '../streams/shell/collected.ts';
import { Input } from '../streams/shell/input.ts';
import type { Process, Write } from '../streams/shell/process.ts';
import { KilledError, ProcessorTime } from '../streams/shell/processor-time.ts';
import { Signals } from '../streams/shell/signals.ts';
import { isKnown, runCommand } from '../streams/shell/spawn.ts';

export interface CommandRunOptions {
  readonly line: readonly string[];
  readonly env: Map<string, string>;
  readonly folder: string;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly network: ContainerNetwork;
  /** Aborted when nobody waits for the command any more. */
  readonly signal: AbortSignal;
  /** The output of the container's first process. */
  readonly console: Write;
  signalFirst(signal: string): void;
}

export interface CommandResult {
  /** The standard output and the standard error. */
  readonly output: string;
  readonly exitCode: number;
}

/** The most bytes of output that are kept. */
const maxOutput = 64 * 1024;
/** The process of a command that is run beside the container's first process. */
const commandPid = 10;

/** Runs a command in a container. Undefined if the container does not have it. */
export async function runInContainer(options: CommandRunOptions): Promise<CommandResult | undefined> {
  const { line, signal, ...given } = options;
  const [name = '', ...args] = line;
  if (!isKnown(name) && !(name.includes('/') && given.files.isFile(name))) return undefined;
  const time = ProcessorTime.of(signal);
  const collected = new Collected(maxOutput);
  let size = 0;
  const out: Write = async (data) => {
    await time.use();
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const room = maxOutput - size;
    if (room > 0) collected.add(bytes.subarray(0, room));
    size += Math.min(bytes.length, room);
  };
  const process: Process = {
    ...given,
    pid: commandPid,
    args,
    stdin: Input.empty(),
    signals: new Signals(),
    depth: 0,
    time,
    out,
    err: out,
    run: runCommand,
  };
  try {
    const exitCode = await runCommand(name, process);
    return { output: collected.bytes.toString(), exitCode };
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
    return { output: collected.bytes.toString(), exitCode: error.exitCode };
  } finally {
    time.kill();
  }
}
