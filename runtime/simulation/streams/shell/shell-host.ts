import type { Function as FunctionNode } from 'unbash';
import type { Process } from './process.ts';
import type { ProcessorTime } from './processor-time.ts';
import type { Signals } from './signals.ts';
import type { Streams } from './streams.ts';
import type { Traps } from './traps.ts';
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
  readonly traps: Traps;
  /** By process. */
  readonly jobs: Map<number, Job>;
  evaluate(script: string, streams: Streams): Promise<number>;
  /** Runs a builtin or a program. */
  executeWithoutFunctions(name: string, args: readonly string[], streams: Streams): Promise<number>;
  say(message: string, streams: Pick<Streams, 'err'>): Promise<void>;
  parameter(name: string): string | undefined;
  /** Makes a variable local to the current function. */
  local(name: string): void;
}
