import type { Duplex, Readable, Writable } from 'node:stream';
import type { Pod } from '../../generated/v1.35/core/v1/types.ts';

/** The input and output of a command in a container. Streams that the client did not request are undefined. */
export interface ContainerIO {
  readonly container: string;
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  /** Undefined with a terminal, whose output is stdout. */
  readonly stderr: Writable | undefined;
  readonly tty: boolean;
  /** Calls the listener with each size of the client's terminal. */
  onResize(listener: (size: TerminalSize) => void): void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A size in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The part of a log that a client requests. (PodLogOptions) */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  /** The log of the previous run of the container. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** The time of the earliest line. */
  readonly since: Date | undefined;
  /** The number of lines from the end. */
  readonly tailLines: number | undefined;
  /** The maximum number of bytes. The server enforces it. */
  readonly limitBytes: number | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Implements pods in a program. The client receives a handler's error. */
export interface PodHandlers {
  /** Returns the exit code. Default: 0. */
  exec?(pod: Pod, command: readonly string[], io: ContainerIO): Promise<number | undefined | void> | number | void;
  /** Returns the exit code at the end of the container. Default: 0. */
  attach?(pod: Pod, io: ContainerIO): Promise<number | undefined | void> | number | void;
  logs?(pod: Pod, options: LogOptions): AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
  /** Handles one connection to a port. Resolves when the handler is finished with the connection. */
  portForward?(pod: Pod, port: number, connection: Duplex): Promise<void> | void;
}
