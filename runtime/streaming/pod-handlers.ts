import type { Duplex, Readable, Writable } from 'node:stream';
import type { Pod } from '../../generated/v1.35/core/v1/types.ts';

/** What a command in a container reads and writes. Undefined is what the client has not asked for. */
export interface ContainerIO {
  readonly container: string;
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  /** Undefined with a terminal, which has one output. */
  readonly stderr: Writable | undefined;
  readonly tty: boolean;
  /** Calls back with each size of the client's terminal. */
  onResize(listener: (size: TerminalSize) => void): void;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** In characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** What part of a log a client asks for. (PodLogOptions) */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  /** Of the container's last life. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** Only lines since then. */
  readonly since: Date | undefined;
  /** Only so many lines from the end. */
  readonly tailLines: number | undefined;
  /** At most so many bytes, which the server sees to. */
  readonly limitBytes: number | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** What happens in pods, decided by a program. An error that a handler throws is what the client is told. */
export interface PodHandlers {
  /** Returns the exit code. Default: 0. */
  exec?(pod: Pod, command: readonly string[], io: ContainerIO): Promise<number | undefined | void> | number | void;
  /** Returns the exit code when the container has ended. Default: 0. */
  attach?(pod: Pod, io: ContainerIO): Promise<number | undefined | void> | number | void;
  logs?(pod: Pod, options: LogOptions): AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
  /** Called for each connection to a port. Resolves when it is done with it. */
  portForward?(pod: Pod, port: number, connection: Duplex): Promise<void> | void;
}
