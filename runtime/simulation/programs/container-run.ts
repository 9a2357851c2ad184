import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ContainerFiles } from '../streams/container-files.ts';
import type { ProgramLog } from './program-log.ts';

/** One run of a container. Times are in milliseconds since the epoch. */
export interface RunOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly startedAt: number;
  /** Undefined if it still runs. */
  readonly finishedAt?: number | undefined;
}

/** The end of a program. */
export interface ProgramEnd {
  readonly exitCode: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The termination message, unless it is in the files of the container. */
  readonly message?: string;
  /** The reason, unless it follows from the exit code. */
  readonly reason?: string;
}

/** A program that runs in a container: how it is asked, signalled and ended. */
export interface RunningProgram {
  /** Resolves at the end. */
  readonly ended: Promise<ProgramEnd>;
  /** Resolves when the program waits for something that happens later, or has ended. */
  readonly settled: Promise<void>;
  /** Sends a signal, such as `TERM`. Returns whether the program handles it. */
  signal(name: string): boolean;
  kill(exitCode: number): void;
}

/** One run of a container. */
export interface ContainerRun {
  readonly files: ContainerFiles;
  readonly log: ProgramLog;
  /** Undefined if the container has nothing to run. */
  readonly program: RunningProgram | undefined;
}
