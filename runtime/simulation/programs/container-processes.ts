import type { Readable, Writable } from 'node:stream';
import type { Container } from '../../../generated/v1.35/core/v1/types.ts';
import type { RunningProgram, RunOf } from './container-run.ts';
import type { ProgramLog } from './program-log.ts';

/** The streams of a command. Absent ones are not connected. */
export interface ProcessIO {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  readonly stderr?: Writable | undefined;
  /** Aborted when nobody waits for the command any more. */
  readonly signal: AbortSignal;
}

/** Containers that are processes of this machine. */
export interface ContainerProcesses {
  /** Reports whether a container is a process. */
  has(container: Container): boolean;
  /** @throws StartError */
  start(of: RunOf, log: ProgramLog): Promise<RunningProgram>;
  /**
   * Runs a command beside the process of a container, and returns its exit code.
   *
   * @throws Error in the words of containerd and runc
   */
  exec(of: RunOf, command: readonly string[], io: ProcessIO): Promise<number>;
  /** Connects the streams to those of the process of a container. Returns its exit code. */
  attach(id: string, io: ProcessIO): Promise<number>;
  /** Removes the files of a pod. */
  forget(uid: string): void;
}

/** The process of a container cannot be started. */
export class StartError extends Error {}
