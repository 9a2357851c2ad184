import type { Clock } from '../../../machinery/clock.ts';
import type { ContainerNetwork } from '../../network/container-network.ts';
import type { Protocol } from '../../network/endpoint.ts';
import type { Listener } from '../../network/listener.ts';
import type { ContainerFiles } from '../../streams/container-files.ts';

/** The container that a server program runs in. */
export interface ServerHost {
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly files: ContainerFiles;
  readonly hostname: string;
  readonly network: ContainerNetwork;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether the program has been told to stop. */
  isStopping(): boolean;
  /** Writes a line to the log. */
  print(line: string): void;
  /** Ends the program. */
  exit(code: number): void;
  /** Runs a script in the container. */
  run(script: string): Promise<{ readonly output: string; readonly exitCode: number }>;
}

/** A port of a server. */
export interface ServedPort {
  readonly port: number;
  readonly protocol: Protocol;
  readonly listener: Listener;
}

/** A server program. It starts at its first connection, and shows its state since the start of its container. */
export interface ServerProgram {
  /** The lines of its log before the first connection. */
  readonly greeting: readonly string[];
  readonly ports: readonly ServedPort[];
}

export type StartServer = (host: ServerHost) => ServerProgram;

export const tcp = (port: number, listener: Listener): ServedPort => ({ port, protocol: 'TCP', listener });
export const udp = (port: number, listener: Listener): ServedPort => ({ port, protocol: 'UDP', listener });

/** Returns a line of Go's package log. */
export function logLine(clock: Clock, message: string): string {
  const at = new Date(clock.now()).toISOString();
  return `${at.slice(0, 10).replaceAll('-', '/')} ${at.slice(11, 19)} ${message}`;
}
