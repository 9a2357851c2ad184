import type { Clock } from '../../../machinery/clock.ts';
import type { ContainerNetwork } from '../../network/container-network.ts';
import type { ContainerFiles } from '../container-files.ts';
import type { Input } from './input.ts';
import type { ProcessorTime } from './processor-time.ts';
import type { Signals } from './signals.ts';

/** Writes output. Resolves when there is room for more. */
export type Write = (data: string | Buffer) => Promise<void>;

/** A running command in a simulated container. */
export interface Process {
  readonly pid: number;
  readonly args: readonly string[];
  readonly stdin: Input;
  readonly env: Map<string, string>;
  readonly files: ContainerFiles;
  readonly network: ContainerNetwork;
  readonly clock: Clock;
  readonly time: ProcessorTime;
  readonly signals: Signals;
  /** Whether the standard input is a terminal. Default: false. */
  readonly hasTerminal?: boolean;
  /** The working directory. */
  readonly folder: string;
  /** The number of processes above this one. */
  readonly depth: number;
  readonly out: Write;
  readonly err: Write;
  /** The output of the container's first process. */
  readonly console: Write;
  /**
   * Runs another command as this process would.
   *
   * @param shell the name of the shell that reports a missing command; undefined for other programs
   */
  run(name: string, process: Process, shell?: string): Promise<number>;
  /** Sends a signal to the container's first process. */
  signalFirst(signal: string): void;
}

/** Runs a command, and returns its exit code. */
export type Command = (process: Process) => Promise<number> | number;
