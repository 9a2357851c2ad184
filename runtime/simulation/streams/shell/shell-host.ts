import type { Function as FunctionNode } from 'unbash';
import type { Process } from './process.ts';
import type { ProcessorTime } from './processor-time.ts';
import type { Signals } from './signals.ts';
import type { Streams } from './streams.ts';
import type { Variables } from './variables.ts';

/** A command that runs in the background. */
export interface Job {
  readonly pid: number;
  readonly time: ProcessorTime;
  readonly signals: Signals;
  readonly code: Promise<number>;
}

export type FunctionBody = FunctionNode['body'];

/** The settings of `set`. */
export interface ShellOptions {
  exitOnError: boolean;
  isStrict: boolean;
  isTraced: boolean;
}

export interface ShellState {
  readonly name: string;
  readonly variables: Variables;
  readonly functions: Map<string, FunctionBody>;
  readonly options: ShellOptions;
  positional: readonly string[];
  folder: string;
  /** The exit code of the last command. */
  last: number;
}

/** The shell as its builtin commands see it. */
export interface ShellHost {
  readonly process: Process;
  readonly state: ShellState;
  /** Scripts by signal. `EXIT` is the end of the shell. */
  readonly traps: ReadonlyMap<string, string>;
  /** By process. */
  readonly jobs: Map<number, Job>;
  /** Sets what happens at a signal: runs a script, ignores it if the script is "", or the default. */
  trap(signal: string, script: string | undefined): void;
  /** Resolves at the next signal with a trap, or when the shell is killed. */
  signalled(): Promise<void>;
  evaluate(script: string, streams: Streams): Promise<number>;
  /** Runs a builtin or a program. */
  executeWithoutFunctions(name: string, args: readonly string[], streams: Streams): Promise<number>;
  say(message: string, streams: Pick<Streams, 'err'>): Promise<void>;
  parameter(name: string): string | undefined;
  /** Makes a variable local to the current function. */
  local(name: string): void;
}
